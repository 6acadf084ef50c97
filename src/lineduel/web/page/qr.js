/** QR codes (ISO/IEC 18004) for links: bytes, error correction M, versions 1 to 10. */

import { draw } from "./dom.js";

/**
 * @typedef {boolean[][]} Grid The rows of a code, true for dark.
 * @typedef {(x: number, y: number, dark: number | boolean) => void} Mark Makes one square dark or light.
 */

const CODEWORDS = [26, 44, 70, 100, 134, 172, 196, 242, 292, 346];
const CHECKS = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26];
const BLOCKS = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5];
const ALIGNMENT = [
  [],
  [6, 18],
  [6, 22],
  [6, 26],
  [6, 30],
  [6, 34],
  [6, 22, 38],
  [6, 24, 42],
  [6, 26, 46],
  [6, 28, 50],
];
/** @type {((x: number, y: number) => number)[]} */
const MASKS = [
  (x, y) => (x + y) % 2,
  (_, y) => y % 2,
  (x) => x % 3,
  (x, y) => (x + y) % 3,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2,
  (x, y) => ((x * y) % 2) + ((x * y) % 3),
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2,
];

/**
 * A drawing of the code of a link, or null for a link that is too long.
 * @param {string} link
 * @param {string} label
 */
export function drawCode(link, label) {
  const grid = encode(link);
  if (!grid) return null;
  const size = grid.length + 8;
  const path = grid
    .flatMap((row, y) => row.map((dark, x) => (dark ? `M${x + 4} ${y + 4}h1v1h-1z` : "")))
    .join("");
  return draw(
    "svg",
    {
      class: "code",
      viewBox: `0 0 ${size} ${size}`,
      role: "img",
      "aria-label": label,
      "shape-rendering": "crispEdges",
    },
    draw("rect", { class: "code-light", width: size, height: size }),
    draw("path", { class: "code-dark", d: path }),
  );
}

/**
 * The rows of a code, true for dark; null where the text is too long.
 * @param {string} textToCode
 * @returns {Grid | null}
 */
export function encode(textToCode) {
  const bytes = [...new TextEncoder().encode(textToCode)];
  const index = CODEWORDS.findIndex((_, one) => bytes.length + (one < 9 ? 2 : 3) <= capacity(one));
  if (index < 0) return null;
  const words = withChecks(dataWords(bytes, index), index);
  const grids = MASKS.map((_, mask) => drawn(words, index, mask));
  const points = grids.map(penalty);
  return grids[points.indexOf(Math.min(...points))];
}

/** @param {number} index */
function capacity(index) {
  return CODEWORDS[index] - CHECKS[index] * BLOCKS[index];
}

/**
 * @param {number[]} bytes
 * @param {number} index
 */
function dataWords(bytes, index) {
  /** @type {number[]} */
  const bits = [];
  /**
   * @param {number} value
   * @param {number} length
   */
  const add = (value, length) => {
    for (let bit = length - 1; bit >= 0; bit -= 1) bits.push((value >> bit) & 1);
  };
  add(4, 4);
  add(bytes.length, index < 9 ? 8 : 16);
  for (const byte of bytes) add(byte, 8);
  add(0, Math.min(4, capacity(index) * 8 - bits.length));
  while (bits.length % 8) bits.push(0);
  const words = [];
  for (let at = 0; at < bits.length; at += 8)
    words.push(parseInt(bits.slice(at, at + 8).join(""), 2));
  for (let pad = 0; words.length < capacity(index); pad += 1) words.push(pad % 2 ? 0x11 : 0xec);
  return words;
}

/**
 * @param {number} a
 * @param {number} b
 */
function multiply(a, b) {
  let product = 0;
  for (let bit = 7; bit >= 0; bit -= 1)
    product = (product << 1) ^ ((product >> 7) * 0x11d) ^ (((b >> bit) & 1) * a);
  return product & 0xff;
}

/** @param {number} degree */
function generator(degree) {
  const factors = Array(degree).fill(0);
  factors[degree - 1] = 1;
  let root = 1;
  for (let turn = 0; turn < degree; turn += 1) {
    for (let at = 0; at < degree; at += 1) {
      factors[at] = multiply(factors[at], root) ^ (at + 1 < degree ? factors[at + 1] : 0);
    }
    root = multiply(root, 2);
  }
  return factors;
}

/**
 * @param {number[]} data
 * @param {number[]} divisor
 */
function remainder(data, divisor) {
  const rest = divisor.map(() => 0);
  for (const word of data) {
    const factor = word ^ rest[0];
    rest.copyWithin(0, 1);
    rest[rest.length - 1] = 0;
    divisor.forEach((part, at) => {
      rest[at] ^= multiply(part, factor);
    });
  }
  return rest;
}

/**
 * Blocks with their checks, dealt out word by word.
 * @param {number[]} data
 * @param {number} index
 */
function withChecks(data, index) {
  const blocks = BLOCKS[index];
  const short = blocks - (CODEWORDS[index] % blocks);
  const length = Math.floor(CODEWORDS[index] / blocks) - CHECKS[index];
  const divisor = generator(CHECKS[index]);
  const parts = [];
  let at = 0;
  for (let block = 0; block < blocks; block += 1) {
    const part = data.slice(at, at + length + (block < short ? 0 : 1));
    at += part.length;
    parts.push({ part, checks: remainder(part, divisor) });
  }
  const words = [];
  for (let one = 0; one <= length; one += 1)
    for (const { part } of parts) if (one < part.length) words.push(part[one]);
  for (let one = 0; one < CHECKS[index]; one += 1)
    for (const { checks } of parts) words.push(checks[one]);
  return words;
}

/**
 * @param {number[]} words
 * @param {number} index
 * @param {number} mask
 * @returns {Grid}
 */
function drawn(words, index, mask) {
  const size = 21 + 4 * index;
  const grid = Array.from({ length: size }, () => Array(size).fill(false));
  const isFixed = Array.from({ length: size }, () => Array(size).fill(false));
  fixedParts(size, index, mask, (x, y, dark) => {
    if (x < 0 || y < 0 || x >= size || y >= size) return;
    grid[y][x] = Boolean(dark);
    isFixed[y][x] = true;
  });
  const bits = words.flatMap((word) =>
    Array.from({ length: 8 }, (_, bit) => (word >> (7 - bit)) & 1),
  );
  let at = 0;
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5;
    const upward = ((right + 1) & 2) === 0;
    for (let step = 0; step < size; step += 1) {
      const y = upward ? size - 1 - step : step;
      for (const x of [right, right - 1]) {
        if (isFixed[y][x]) continue;
        const bit = at < bits.length ? bits[at] : 0;
        at += 1;
        grid[y][x] = Boolean(bit) !== (MASKS[mask](x, y) === 0);
      }
    }
  }
  return grid;
}

/**
 * @param {number} size
 * @param {number} index
 * @param {number} mask
 * @param {Mark} set
 */
function fixedParts(size, index, mask, set) {
  for (let at = 0; at < size; at += 1) {
    set(6, at, at % 2 === 0);
    set(at, 6, at % 2 === 0);
  }
  for (const [x, y] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ]) {
    for (let dy = -4; dy <= 4; dy += 1) {
      for (let dx = -4; dx <= 4; dx += 1) {
        const ring = Math.max(Math.abs(dx), Math.abs(dy));
        set(x + dx, y + dy, ring !== 2 && ring !== 4);
      }
    }
  }
  const places = ALIGNMENT[index];
  const last = places.length - 1;
  for (const [i, x] of places.entries()) {
    for (const [j, y] of places.entries()) {
      if ((i === 0 && j === 0) || (i === 0 && j === last) || (i === last && j === 0)) continue;
      for (let dy = -2; dy <= 2; dy += 1) {
        for (let dx = -2; dx <= 2; dx += 1)
          set(x + dx, y + dy, Math.max(Math.abs(dx), Math.abs(dy)) !== 1);
      }
    }
  }
  formatBits(set, size, mask);
  if (index >= 6) versionBits(set, size, index + 1);
}

/**
 * @param {Mark} set
 * @param {number} size
 * @param {number} mask
 */
function formatBits(set, size, mask) {
  let rest = mask; // error correction M is 00
  for (let turn = 0; turn < 10; turn += 1) rest = (rest << 1) ^ ((rest >> 9) * 0x537);
  const bits = ((mask << 10) | rest) ^ 0x5412;
  /** @param {number} at */
  const bit = (at) => (bits >> at) & 1;
  for (let at = 0; at <= 5; at += 1) set(8, at, bit(at));
  set(8, 7, bit(6));
  set(8, 8, bit(7));
  set(7, 8, bit(8));
  for (let at = 9; at < 15; at += 1) set(14 - at, 8, bit(at));
  for (let at = 0; at < 8; at += 1) set(size - 1 - at, 8, bit(at));
  for (let at = 8; at < 15; at += 1) set(8, size - 15 + at, bit(at));
  set(8, size - 8, 1);
}

/**
 * @param {Mark} set
 * @param {number} size
 * @param {number} version
 */
function versionBits(set, size, version) {
  let rest = version;
  for (let turn = 0; turn < 12; turn += 1) rest = (rest << 1) ^ ((rest >> 11) * 0x1f25);
  const bits = (version << 12) | rest;
  for (let at = 0; at < 18; at += 1) {
    const far = size - 11 + (at % 3);
    const near = Math.floor(at / 3);
    set(far, near, (bits >> at) & 1);
    set(near, far, (bits >> at) & 1);
  }
}

/** @param {Grid} grid */
function penalty(grid) {
  const size = grid.length;
  const lines = [...grid, ...grid.map((_, x) => grid.map((row) => row[x]))];
  let points = 0;
  for (const line of lines) {
    const shown = line.map(Number).join("");
    for (const run of shown.match(/0{5,}|1{5,}/g) ?? []) points += run.length - 2;
    points += 40 * [...shown.matchAll(/(?=00001011101|10111010000)/g)].length;
  }
  let dark = 0;
  for (const [y, row] of grid.entries()) {
    for (const [x, cell] of row.entries()) {
      dark += Number(cell);
      const square = x + 1 < size && y + 1 < size;
      if (square && cell === row[x + 1] && cell === grid[y + 1][x] && cell === grid[y + 1][x + 1])
        points += 3;
    }
  }
  return points + 10 * Math.floor(Math.abs((dark * 20) / (size * size) - 10));
}
