// @ts-check
/**
 * The shapes that pass between the page and the engine. Types only: this module holds no code.
 *
 * They are the JSON contracts of `python3 -m fen_core read --json` and `check --json`, as the worker
 * returns them. A square is its name ("e4") everywhere.
 */

/** @typedef {'read'|'inferred'|'assumed'|'user'} Provenance */
/** @typedef {[number, number]} Point  x, y in pixels of the upright picture (0..W, 0..H) */
/** @typedef {[Point, Point, Point, Point]} Corners  top left, top right, bottom right, bottom left as seen */

/**
 * One cure, offered as a button: the FEN that stands after it.
 * @typedef {object} Fix
 * @property {string} code
 * @property {string} fen
 * @property {Record<string, any>} [params]
 */

/**
 * @typedef {object} Problem
 * @property {string} code
 * @property {string} severity
 * @property {string|null} field
 * @property {string[]} squares
 * @property {Record<string, any>} params
 * @property {Fix[]} fixes
 */

/**
 * The answer to `check(text)`.
 * @typedef {object} CheckResult
 * @property {string|null} fen  what the text says, canonically and not repaired
 * @property {Problem[]} problems
 * @property {{code: string, [key: string]: any}[]} cleaned
 * @property {Fix[]} fixes  cures of the whole text
 */

/**
 * @typedef {object} ReadSquare
 * @property {string} square
 * @property {string} piece  FEN letter, "." for an empty square
 * @property {number} probability
 * @property {boolean} unsure
 * @property {[string, number][]} alternatives
 */

/**
 * @typedef {object} ReadField
 * @property {string|number} value
 * @property {Provenance} provenance
 * @property {any} evidence
 */

/**
 * @typedef {object} ReadBoard
 * @property {string} fen
 * @property {string} placement
 * @property {{bottom: 'white'|'black', probability: number, evidence: any[]}} orientation
 * @property {Corners} corners
 * @property {number} score  how sure that it is a board, 0..1
 * @property {boolean} snapped  corners given by hand were moved onto the squares nearby
 * @property {ReadSquare[]} squares  64, from a8 to h1
 * @property {Record<string, ReadField>} fields  side_to_move, castling_rights, ep_square, …
 * @property {Problem[]} problems
 * @property {{name: string, likeness: number, used: boolean}|null} profile  read with; `used` is false where it does not fit
 * @property {{name: string, likeness: number}[]} resembles  known profiles that it looks like, the likest first
 */

/**
 * The answer to `read(bytes)`: no board found is an answer, an unusable file is an `error`.
 * @typedef {object} Reading
 * @property {ReadBoard[]} boards  in reading order
 * @property {{code: string, message: string, params?: Record<string, any>}|null} error
 * @property {{code: string, [key: string]: any}[]} notes  of the picture as a whole ("no-board")
 * @property {[number, number]} size  width and height of the upright picture, pixels
 * @property {number} ms
 */

/**
 * What to read, and what a person has already settled about it.
 * @typedef {object} ReadOptions
 * @property {Corners} [corners]  set by hand: the board is taken from there
 * @property {'white'|'black'} [orientation]  which side is at the bottom
 * @property {boolean} [snap]  the given corners may move onto the squares found nearby
 * @property {string} [profile]  the file of a profile to read with, see fen_core.profile
 * @property {string[]} [known]  files of profiles to compare with
 */

/**
 * How far the loading is. `stage` is 'download' while bytes come in, 'start' while Python starts,
 * 'ready' once. Bytes are those on the wire (compressed where a server compresses).
 * @typedef {object} LoadProgress
 * @property {'download'|'start'|'ready'} stage
 * @property {number} loaded  bytes
 * @property {number} total   bytes
 * @property {number} share   0..1 over the whole of it, never falling
 */

/**
 * How far a job is: the words are `progress.<stage>` in the language files.
 * @typedef {object} JobProgress
 * @property {string} stage
 * @property {number} share  0..1
 * @property {ReadBoard} [board]  the one that has just been read, the others still to come
 */

/**
 * Codes of a failed engine (words: `error.<code>.title` and `.next`):
 *  no-webassembly       the browser has no WebAssembly, or forbids it
 *  runtime-missing      params.file could not be fetched
 *  runtime-altered      params.file is not the file this version was built with
 *  engine-start-failed  Python did not start; params.detail is what it said
 *  worker-died          the worker ended or stopped answering; `restart()` starts another
 * @typedef {'no-webassembly'|'runtime-missing'|'runtime-altered'|'engine-start-failed'|'worker-died'} EngineFailure
 */

/**
 * @typedef {object} EngineState
 * @property {'loading'|'ready'|'failed'|'disposed'} state
 * @property {EngineFailure} [code]   with 'failed'
 * @property {Record<string, any>} [params]  with 'failed'
 * @property {boolean} [restarted]  with 'loading': this is not the first start
 */

/**
 * A running job: await it for its result. It rejects with an `EngineError` whose code is
 * 'cancelled', 'replaced' (a newer job of the same kind came), one of EngineFailure, or what the
 * Python side raised (an `error.<code>` of the language files).
 * @template T
 * @typedef {Promise<T> & {id: number}} Job
 */

/**
 * @typedef {object} CallOptions
 * @property {(progress: JobProgress) => void} [onProgress]
 * @property {string} [kind]  jobs of one kind replace each other; the call's name if not given
 * @property {boolean} [keep]  true: neither replaces nor is replaced (for many pictures in a row)
 */

/**
 * @typedef {object} EngineOptions
 * @property {(progress: LoadProgress) => void} [onProgress]
 * @property {(state: EngineState) => void} [onState]
 * @property {'full'|'checker'} [mode]  'checker': no NumPy, no Pillow, only `check` and text calls
 * @property {'auto'|'pyscript'|'plain'} [host]  how Python is started; 'auto' decides, tests may insist
 */

/**
 * @typedef {object} EngineInfo
 * @property {'pyscript'|'plain'} host
 * @property {string} python   version of Python
 * @property {number} ms       from `startEngine` to ready
 */

/**
 * @typedef {object} Engine
 * @property {Promise<EngineInfo>} ready  of the first start; rejects with an EngineError
 * @property {EngineState} state  as it is now
 * @property {(bytes: Uint8Array|ArrayBuffer|Blob, options?: ReadOptions & {keep?: boolean}, onProgress?: (progress: JobProgress) => void) => Job<Reading>} read
 * @property {(text: string) => Job<CheckResult>} check
 * @property {(name: string, args?: any[], options?: CallOptions) => Job<any>} call  by name, from the table in static/engine/engine.py; arguments are JSON values, or bytes
 * @property {(jobId: number) => void} cancel
 * @property {() => Promise<EngineInfo>} restart  ends the worker and starts another; queued jobs go on there
 * @property {() => void} dispose  ends the worker for good
 */

export {};
