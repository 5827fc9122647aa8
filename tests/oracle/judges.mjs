// chess.js and chessops as judges of FENs, for tests alone: nothing that ships imports them.
//
//   node judges.mjs judge          JSON strings on standard input, one a line → a verdict of both, one a line
//   node judges.mjs games SEED N   N positions of random games, each with what chessops knows of it
import { createInterface } from 'node:readline';

import { Chess as ChessJs } from 'chess.js';
import { Chess } from 'chessops/chess';
import { INITIAL_FEN, makeFen, parseFen } from 'chessops/fen';

/** Numbers from a seed, so that a failure can be had again: mulberry32. */
function random(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** What is left of a FEN when a judge has taken it in: rights and en passant square it keeps, and how the game stands. */
const taken = (fen, game, moves) => {
  const [, , castling, ep] = fen.split(' ');
  return { error: null, castling, ep, check: game.isCheck(), mate: game.isCheckmate(), stalemate: game.isStalemate(),
    insufficient: game.isInsufficientMaterial(), moves };
};

function byChessJs(text) {
  try {
    const game = new ChessJs(text);
    return taken(game.fen(), game, game.moves().length > 0);
  } catch (error) {
    return { error: error.message };
  }
}

function byChessops(text) {
  const position = parseFen(text).chain((setup) => Chess.fromSetup(setup));
  if (position.isErr) return { error: position.error.message };
  const game = position.value;
  return taken(makeFen(game.toSetup()), game, game.hasDests());
}

function* games(seed, wanted) {
  const next = random(seed);
  const pick = (list) => list[Math.floor(next() * list.length)];
  for (let made = 0; made < wanted;) {
    const game = Chess.fromSetup(parseFen(INITIAL_FEN).unwrap()).unwrap();
    for (let ply = 0; ply < 250 && made < wanted && !game.isEnd(); ply++) {
      const moves = [...game.allDests()].flatMap(([from, tos]) => [...tos].map((to) => ({ from, to })));
      const move = pick(moves);
      const promotes = game.board.pawn.has(move.from) && (move.to < 8 || move.to > 55);
      game.play(promotes ? { ...move, promotion: pick(['queen', 'queen', 'rook', 'bishop', 'knight']) } : move);
      const setup = game.toSetup();
      const capturable = setup.epSquare !== undefined;
      // Half of them record every double step, as the PGN standard does; half only what can be captured.
      if (next() < 0.5) setup.epSquare = game.epSquare;
      made += 1;
      yield { ...taken(makeFen(setup), game, game.hasDests()), fen: makeFen(setup), capturable };
    }
  }
}

const [task, seed, wanted] = process.argv.slice(2);
const lines = [];
if (task === 'games') for (const position of games(Number(seed), Number(wanted))) lines.push(JSON.stringify(position));
else {
  for await (const line of createInterface({ input: process.stdin })) {
    const text = JSON.parse(line);
    lines.push(JSON.stringify({ 'chess.js': byChessJs(text), chessops: byChessops(text) }));
  }
}
process.stdout.write(`${lines.join('\n')}\n`);
