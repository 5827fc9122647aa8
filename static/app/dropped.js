// @ts-check
/**
 * Files out of what is dropped or chosen: pictures and PDF files as they are, folders walked to the bottom. In a
 * folder only what has the name of a picture or a PDF counts; its files come in the order a person would number them.
 */

/** @typedef {{blob: Blob, name: string}} NamedFile */
/** @typedef {{files: NamedFile[], lost: string[], cut: boolean}} Found `lost` could not be read; `cut`: there was more */

const PICTURES = /\.(png|jpe?g|webp|gif|bmp|tiff?|heic|heif|avif|pdf)$/i;
/** More files than this at once are a mistake, mostly: a whole disk. */
const MOST_FILES = 2000;

/** @param {NamedFile[]} files */
const sorted = (files) => files.sort((a, b) => new Intl.Collator('en', { numeric: true }).compare(a.name, b.name));

/** @param {NamedFile[]} files @param {string[]} [lost] @returns {Found} */
const found = (files, lost = []) => ({ files: sorted(files).slice(0, MOST_FILES), lost, cut: files.length > MOST_FILES });

/** @param {Iterable<File>} files chosen as a folder @returns {Found} */
export function filesOfFolder(files) {
  const named = [...files].map((file) => ({ blob: file, name: file.webkitRelativePath || file.name }));
  return found(named.filter(({ name }) => PICTURES.test(name) && !/(^|\/)\./.test(name)));
}

/**
 * Walk a folder to the bottom. What cannot be read is named, and the rest goes on.
 * @param {any} folder a FileSystemDirectoryEntry @param {NamedFile[]} into @param {string[]} lost
 */
async function walk(folder, into, lost) {
  const reader = folder.createReader();
  /** @param {any} entry */
  const nameOf = (entry) => entry.fullPath.replace(/^\//, '');
  try {
    // A reader gives a hundred at a time, and nothing when it is through.
    for (;;) {
      /** @type {any[]} */
      const entries = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
      if (!entries.length || into.length > MOST_FILES) return;
      for (const entry of entries) {
        if (entry.name.startsWith('.')) continue;
        if (entry.isDirectory) await walk(entry, into, lost);
        else if (PICTURES.test(entry.name)) {
          await new Promise((resolve, reject) => entry.file(resolve, reject)).then(
            (file) => into.push({ blob: file, name: nameOf(entry) }),
            () => lost.push(nameOf(entry)),
          );
        }
      }
    }
  } catch {
    lost.push(nameOf(folder));
  }
}

/**
 * What has been dropped. To be called while the event is being handled: what it holds is gone afterwards.
 * @param {DataTransfer | null} data
 * @returns {{files: NamedFile[], folders: Promise<Found> | null}} `folders` is null where there were none
 */
export function takeDropped(data) {
  const entries = [...(data?.items ?? [])].map((item) => (item.kind === 'file' ? /** @type {any} */ (item).webkitGetAsEntry?.() : null));
  const files = [...(data?.files ?? [])];
  const folders = entries.filter((entry) => entry?.isDirectory);
  if (!folders.length) return { files: files.map((file) => ({ blob: file, name: file.name })), folders: null };
  const names = new Set(folders.map((entry) => entry.name));
  const plain = files.filter((file) => !names.has(file.name)).map((file) => ({ blob: file, name: file.name }));
  const walked = async () => {
    /** @type {NamedFile[]} */
    const into = [];
    /** @type {string[]} */
    const lost = [];
    for (const folder of folders) await walk(folder, into, lost);
    return found(into, lost);
  };
  return { files: plain, folders: walked() };
}
