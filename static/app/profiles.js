// @ts-check
/**
 * The profiles of prints that this visit knows: which there are, which is in use, which are kept on this device.
 *
 * Where it stands: below teach.js, which shows them and makes them; no DOM. A profile is the text of its file, as
 * fen_core.profile writes it; nothing here looks inside but at its name.
 * What always holds: nothing is stored before the person says so, and all of it goes when they say so; a profile is
 * used only when the person has chosen it.
 */
import { answer, canStore, storeName } from './device.js';

/**
 * @typedef {Object} Profile
 * @property {number} id within this visit, and in what is kept
 * @property {string} name
 * @property {string} text the file
 * @property {number} boards how many boards it has learnt from
 * @property {boolean} current whether it was learnt with the network that reads here
 */
/** @typedef {{profiles: readonly Profile[], used: number | null, kept: boolean, dismissed: readonly number[]}} Known */

const NAME = storeName('profiles');

/** @returns {Promise<IDBDatabase>} */
function open() {
  const request = indexedDB.open(NAME, 1);
  request.onupgradeneeded = () => request.result.createObjectStore('profiles', { keyPath: 'id' });
  return answer(request);
}

/** @returns {Promise<boolean>} whether profiles are kept here, without making a store where the browser can tell */
async function isThere() {
  if (!canKeep()) return false;
  return (await indexedDB.databases()).some(({ name }) => name === NAME);
}

/**
 * Change what lies there, and nothing else: another window may keep profiles of its own.
 * @param {readonly Profile[]} profiles new ones and changed ones @param {readonly Profile[]} gone
 */
async function store(profiles, gone) {
  const base = await open();
  try {
    const change = base.transaction('profiles', 'readwrite');
    const done = new Promise((resolve, reject) => {
      change.oncomplete = () => resolve(undefined);
      change.onabort = () => reject(change.error);
    });
    for (const { id } of gone) change.objectStore('profiles').delete(id);
    for (const profile of profiles) change.objectStore('profiles').put(profile);
    await done;
  } finally {
    base.close();
  }
}

/** Whether this browser can keep anything at all. */
export const canKeep = () => canStore() && !!indexedDB.databases;

/**
 * @param {(known: Known) => void} onChange
 */
export function createProfiles(onChange) {
  /** @type {Known} */
  let known = { profiles: [], used: null, kept: false, dismissed: [] };
  let lastId = Date.now(); // what was kept from another visit comes back a little later, with numbers of its own

  /** @param {Partial<Known>} change */
  function become(change) {
    known = { ...known, ...change };
    onChange(known);
  }
  /** Keep what there is now, where the person wants it kept. @param {readonly Profile[]} profiles */
  async function put(profiles) {
    const before = known.profiles;
    become({ profiles });
    const here = new Set(profiles.map(({ id }) => id));
    if (known.kept) await store(profiles.filter((p) => !before.includes(p)), before.filter(({ id }) => !here.has(id)));
  }

  return {
    get known() {
      return known;
    },
    /** @returns {Profile | null} the one in use */
    get used() {
      return known.profiles.find(({ id }) => id === known.used) ?? null;
    },

    /** Take back what is kept here. */
    async restore() {
      if (!(await isThere())) return;
      const base = await open();
      const profiles = await answer(base.transaction('profiles').objectStore('profiles').getAll());
      base.close();
      lastId = Math.max(lastId, ...profiles.map(({ id }) => id));
      become({ profiles: [...known.profiles, ...profiles], kept: true });
    },

    /** @param {Omit<Profile, 'id'>} made @param {boolean} use @returns {Promise<void>} rejects where there is no room */
    add(made, use) {
      const profile = { ...made, id: ++lastId };
      if (use) become({ used: profile.id });
      return put([...known.profiles, profile]);
    },

    /** @param {number} id @param {Partial<Profile>} change */
    change: (id, change) => put(known.profiles.map((p) => (p.id === id ? { ...p, ...change } : p))),

    /** @param {number} id */
    remove(id) {
      if (known.used === id) become({ used: null });
      return put(known.profiles.filter((p) => p.id !== id));
    },

    /** @param {number | null} id the one to read with; null for none */
    use: (id) => become({ used: id }),

    /** Suggest this one no more in this visit. @param {number} id */
    dismiss: (id) => become({ dismissed: [...known.dismissed, id] }),

    /** Keep the profiles on this device from now on, or forget them there. @param {boolean} wanted */
    async keep(wanted) {
      if (wanted) {
        await store(known.profiles, []);
        // Without this leave the browser may clear them when room is short; a refusal changes nothing else.
        await navigator.storage?.persist?.().catch(() => false);
      } else await answer(indexedDB.deleteDatabase(NAME));
      become({ kept: wanted });
    },
  };
}
