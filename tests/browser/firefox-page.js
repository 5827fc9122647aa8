// @ts-check
// Runs by itself in a browser without a driver: tries the engine, then posts what it saw to the server.
import { startEngine } from './static/app/engine.js';

const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
const stranger = new URLSearchParams(location.search).get('stranger');

/** @param {'pyscript'|'plain'} host */
async function tryEngine(host) {
  const engine = startEngine({ host });
  const { python, ms } = await engine.ready;
  const checked = await engine.check(START);
  const picture = await (await fetch('static/examples/screen.png')).arrayBuffer();
  const reading = await engine.read(picture);
  engine.dispose();
  return { python, ms, fen: checked.fen, placement: reading.boards[0]?.placement };
}

/** What a worker of the page's kind, started from a blob, gets from another origin. */
function tryStranger() {
  const source = `fetch(${JSON.stringify(stranger)}).then(() => postMessage('left'), (error) => postMessage(error.name));`;
  const worker = new Worker(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })));
  return new Promise((done) => {
    worker.onmessage = ({ data }) => done(data);
  });
}

/** @type {Record<string, any>} */
const seen = {};
try {
  seen.pyscript = await tryEngine('pyscript');
  seen.plain = await tryEngine('plain');
  seen.stranger = await tryStranger();
} catch (error) {
  seen.error = `${error} ${JSON.stringify(/** @type {any} */ (error)?.params ?? {})}`;
}
await fetch('report', { method: 'POST', body: JSON.stringify(seen) });
