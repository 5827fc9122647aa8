// @ts-check
/** One state at a time, and who wants to know of the next. */

/** @typedef {import('./state.js').State} State */

/** @param {State} initial */
export function createStore(initial) {
  let state = initial;
  /** @type {Set<(state: State, before: State) => void>} */
  const listeners = new Set();
  return {
    get state() {
      return state;
    },
    /** @param {State} next */
    set(next) {
      if (next === state) return;
      const before = state;
      state = next;
      for (const listener of listeners) listener(state, before);
    },
    /** @param {(state: State, before: State) => void} listener */
    subscribe(listener) {
      listeners.add(listener);
    },
  };
}
