// Compile Python archives to .pyc with the very Python that will run them: Pyodide, under Node.
//
//   node compile.mjs PYODIDE_FOLDER JOBS.json
//
// JOBS.json is [{"input": "a.zip", "output": "b.zip", "drop": ["tests", …], "encodings": ["utf_8", …]}, …].
// Every .py becomes a .pyc in its place (unchecked, without its source, docstrings and assertions); what `drop`
// names (a folder, a module, a file without its last ending) and what has no use at run time is left out.
// The same input gives the same bytes: names are sorted, dates fixed, one Python, one zlib.
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, jobsFile] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(resolve(folder, 'pyodide.mjs')).href);
const pyodide = await loadPyodide({ indexURL: resolve(folder) });

pyodide.runPython(`
import importlib.util, io, re, zipfile
from importlib._bootstrap_external import _code_to_hash_pyc

FIXED_DATE = (1980, 1, 1, 0, 0, 0)
USELESS = re.compile(r"\\.(pyi|pxd|pyx|h|hpp|c|a|f|f90|typed|txt\\.in)$|(^|/)__pycache__/|dist-info/RECORD$")

def unwanted(name, drop, encodings):
    *folders, file = name.split("/")
    stem = file.rpartition(".")[0]
    if encodings and folders == ["encodings"]:
        return stem not in encodings
    return bool(USELESS.search(name)) or stem in drop or not drop.isdisjoint(folders)

def squeeze(data, drop, encodings):
    drop = frozenset(drop)
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as source, zipfile.ZipFile(target, "w") as archive:
        for name in sorted(source.namelist()):
            if name.endswith("/") or unwanted(name, drop, encodings):
                continue
            content = source.read(name)
            if name.endswith(".py"):
                code = compile(content, name, "exec", dont_inherit=True, optimize=2)
                content = bytes(_code_to_hash_pyc(code, importlib.util.source_hash(content), checked=False))
                name += "c"
            entry = zipfile.ZipInfo(name, FIXED_DATE)
            entry.external_attr = 0o644 << 16
            # What is packed already is not packed again.
            packed = name.endswith((".npz", ".png", ".zip"))
            kind = zipfile.ZIP_STORED if packed else zipfile.ZIP_DEFLATED
            archive.writestr(entry, content, kind, None if packed else 9)
    return target.getvalue()
`);

const squeeze = pyodide.globals.get('squeeze');
for (const { input, output, drop, encodings } of JSON.parse(readFileSync(jobsFile, 'utf8'))) {
  const result = squeeze(pyodide.toPy(new Uint8Array(readFileSync(input))), pyodide.toPy(drop), pyodide.toPy(encodings));
  const buffer = result.getBuffer('u8');
  writeFileSync(output, buffer.data);
  buffer.release();
  result.destroy();
}
