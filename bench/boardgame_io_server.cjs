// Cross Over on boardgame.io: `node boardgame_io_server.cjs PORT [FOLDER]`, in memory without a folder.

const { createRequire } = require("module");
const installed = createRequire(`${process.cwd()}/`);
const { INVALID_MOVE } = installed("boardgame.io/core");
const { FlatFile, Origins, Server } = installed("boardgame.io/server");

const LAST = 10;
const TAKEN = -1;

const CrossOver = {
  name: "cross-over",
  minPlayers: 2,
  maxPlayers: 2,
  setup: () => ({ pieces: { 0: [0, 1, 2], 1: [10, 9, 8] } }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    step({ G, playerID }, piece, step) {
      const own = G.pieces[playerID];
      const theirs = G.pieces[playerID === "0" ? "1" : "0"];
      const to = own[piece] + (playerID === "0" ? step : -step);
      const isLegal = own[piece] !== TAKEN && (step === 1 || step === 2) && to >= 0 && to <= LAST && !own.includes(to);
      if (!isLegal) return INVALID_MOVE;
      own[piece] = to;
      const met = theirs.indexOf(to);
      if (met >= 0) theirs[met] = TAKEN;
      return undefined;
    },
  },
  endIf({ G }) {
    const isIn = { 0: (cell) => cell >= 8, 1: (cell) => cell >= 0 && cell <= 2 };
    for (const side of ["0", "1"]) {
      const other = side === "0" ? "1" : "0";
      if (G.pieces[side].some(isIn[side]) || G.pieces[other].every((cell) => cell === TAKEN)) return { winner: side };
    }
    return undefined;
  },
};

const [port, dir] = process.argv.slice(2);
const server = Server({ games: [CrossOver], origins: [Origins.LOCALHOST], ...(dir ? { db: new FlatFile({ dir }) } : {}) });
server.run({ port: Number(port) }, () => console.log("ready"));
