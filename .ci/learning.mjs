// Try the compiled runtime under Node: everything that is shipped imports, and scikit-learn learns.
//
//   node learning.mjs RUNTIME_FOLDER
//
// Leaving modules out is how this breaks; so build.py test --all runs it.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const folder = resolve(process.argv[2]);
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`).href);
const pyodide = await loadPyodide({ indexURL: folder, packageBaseUrl: `${folder}/` });
await pyodide.loadPackage(['numpy', 'pillow', 'scikit-learn'], { messageCallback: () => {} });
const said = pyodide.runPython(`
import io, sys, types
import numpy as np
# SciPy names it in passing; it compiles Fortran, and is not there.
sys.modules["numpy.f2py"] = np.f2py = types.ModuleType("numpy.f2py")
from PIL import Image
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

rng = np.random.default_rng(0)
x = rng.normal(size=(200, 16)).astype(np.float32)
y = (x[:, 0] + x[:, 1] > 0).astype(int)
scores = [
    make_pipeline(StandardScaler(), LogisticRegression()).fit(x, y).score(x, y),
    KNeighborsClassifier(3).fit(x, y).score(x, y),
    float(((KernelRidge(alpha=0.1, kernel="rbf", gamma=0.05).fit(x, y).predict(x) > 0.5) == y).mean()),
]
for kind in ("PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF"):
    data = io.BytesIO()
    Image.new("RGB", (9, 7), (200, 30, 90)).save(data, kind)
    Image.open(io.BytesIO(data.getvalue())).load()
str(min(scores) > 0.8)
`);
if (said !== 'True') throw new Error('scikit-learn did not learn');
console.log('The compiled runtime imports and learns.');
