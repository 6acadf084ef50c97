/** Verdicts on claims: how many hold, and how each is marked. */

import { text, textOr } from "./texts.js";

/** @import { ShownVerdict } from "./documents.js" */

/**
 * The class of what shows a verdict.
 * @param {string} verdict
 */
export function kindOf(verdict) {
  return verdict.replace(/\W/g, "-");
}

/**
 * What a property says, so that no verdict has to be turned around: `Somebody always wins`.
 * @param {string} property
 */
export function propertyName(property) {
  const name = `${property.charAt(0).toUpperCase()}${property.slice(1)}`;
  return textOr(`property-${property}`, name);
}

/**
 * How many promises hold, and what else was tested.
 * @param {Pick<ShownVerdict, "claimed" | "verdict">[]} claims
 */
export function inTotal(claims) {
  /** @param {Pick<ShownVerdict, "verdict">[]} some */
  const held = (some) => some.filter(({ verdict }) => verdict === "proved").length;
  const promised = claims.filter(({ claimed }) => claimed);
  const others = claims.filter(({ claimed }) => !claimed);
  const told = [];
  if (promised.length)
    told.push(
      held(promised) === promised.length
        ? text("promisesAll", { total: promised.length })
        : text("promisesSome", { held: held(promised), total: promised.length }),
    );
  if (others.length)
    told.push(
      held(others) === others.length
        ? text("othersAll", { total: others.length })
        : text("othersSome", { failing: others.length - held(others), total: others.length }),
    );
  return told.join(" ");
}
