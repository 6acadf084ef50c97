#!/usr/bin/env node
// A complete engine in JavaScript that knows no rules: it takes the longest step it is offered,
// and in a battle any number.
/** The answer to `go`, whose words it is given; words that it does not know are skipped. */
function choose(words) {
  const moves = words.indexOf("moves");
  if (moves >= 0) {
    const offered = words.slice(moves + 1);
    const step = (move) => Number(move.match(/[+-]\d+$/) ?? 0);
    return `bestmove ${offered.reduce((best, move) => (step(move) > step(best) ? move : best))}`;
  }
  const hand = words.indexOf("hand");
  if (hand >= 0) {
    const cards = words[hand + 1];
    return `bestmove ${cards[Math.floor(Math.random() * cards.length)]}`;
  }
  const numbers = words.indexOf("numbers");
  if (numbers >= 0) {
    return `bestmove ${1 + Math.floor(Math.random() * Number(words[numbers + 1]))}`;
  }
  return "error nothing to choose from";
}

function hear(line) {
  const [word, ...rest] = line.trim().split(/\s+/);
  if (word === "duel") console.log("id name JavaScript example\nduelok");
  else if (word === "isready") console.log("readyok");
  else if (word === "go") console.log(choose(rest));
  else if (word === "quit") process.exit();
  else if (!["rules", "position", ""].includes(word)) console.log(`error '${word}' is not understood`);
}

import("node:readline").then(({ createInterface }) => {
  createInterface({ input: process.stdin }).on("line", hear);
});
