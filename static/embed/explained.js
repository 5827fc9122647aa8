// @ts-check
/**
 * The checker's answer with its words, as `call("explain", [text, language])` of the engine gives it. Types only.
 *
 * @typedef {import('../app/engine-types.js').Fix & {label: string}} ExplainedFix
 * @typedef {{code: string, label: string, [key: string]: any}} ExplainedStep
 * @typedef {Omit<import('../app/engine-types.js').Problem, 'fixes'> & {title: string, body: string, fixes: ExplainedFix[]}} ExplainedProblem
 *
 * @typedef {object} Explained
 * @property {string | null} fen
 * @property {string | null} placement  where that field alone can be read
 * @property {string} dialect           how castling rights are written: standard, x-fen or shredder
 * @property {string} dialect_words     that as a sentence; empty for the standard one
 * @property {ExplainedProblem[]} problems
 * @property {ExplainedStep[]} cleaned
 * @property {ExplainedFix[]} fixes
 */

export {};
