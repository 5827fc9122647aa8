// @ts-check
/**
 * Keeping things on this device (IndexedDB): whether it can be done at all, and what the stores are called. Nothing is
 * stored here by itself; `keep.js` and `profiles.js` do it once a person has asked.
 */

/** Whether anything can be kept here: a frame that is denied storage throws at the mere question. */
export function canStore() {
  try {
    return typeof indexedDB !== 'undefined' && window.origin !== 'null';
  } catch {
    return false;
  }
}

/** Return the name of a store of this page's own: other projects of the same origin have theirs. @param {string} what */
export const storeName = (what) => `image-to-fen ${what} ${new URL('./', document.baseURI).pathname}`;

/** Wait for what the browser answers. @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
export const answer = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});
