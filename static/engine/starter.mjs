// @ts-check
/**
 * Start the engine in a worker without PyScript: for frames that are denied storage, for the checker alone.
 *
 * Where it stands: the plain host (hosts.js) starts a worker from a blob, which imports this module.
 * What always holds: the Python is the same as under PyScript, from the same archive.
 */

/**
 * @typedef {object} StarterConfig
 * @property {string} interpreter  absolute address of interpreter.mjs
 * @property {string} archive      absolute address of the zip that holds engine.pyc and fen_core
 * @property {string[]} packages   Pyodide packages to load
 * @property {string | null} library  absolute address of Python's library, if not the whole one
 */

/**
 * @param {StarterConfig} config
 * @returns {Promise<void>}
 */
export async function start({ interpreter, archive, packages, library }) {
  const [{ loadPyodide }, code] = await Promise.all([import(interpreter), bytes(archive)]);
  const pyodide = await loadPyodide(library ? { packages, stdLibURL: library } : { packages });
  pyodide.unpackArchive(code, 'zip');
  pyodide.pyimport('engine').start();
}

/**
 * @param {string} address
 * @returns {Promise<ArrayBuffer>}
 */
async function bytes(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return answer.arrayBuffer();
}
