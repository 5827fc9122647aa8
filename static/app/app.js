// @ts-check
/**
 * What every part of the page is handed: the store, the words, the pictures, the jobs, the actions.
 *
 * @typedef {Object} App
 * @property {ReturnType<typeof import('./store.js').createStore>} store
 * @property {import('./i18n.js').Translate} t the words of the language that is on
 * @property {ReturnType<typeof import('./media.js').createMedia>} media
 * @property {ReturnType<typeof import('./jobs.js').createJobs>} jobs
 * @property {(id: string) => void} act runs an action of the registry
 * @property {(text: string) => void} announce says something to a screen reader, once
 * @property {(text: string) => void} tell shows and says a text in passing
 * @property {(key: string, params?: Record<string, string | number>) => void} notice the same, of the language files
 */

/** @typedef {import('./state.js').State} State */
/** @typedef {(state: State, before: State | null) => void} Render draws what differs; `before` is null when all must be drawn */

export {};
