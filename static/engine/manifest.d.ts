/** Shape of the module that build.py writes into the site as static/engine/manifest.js. */
export interface Part {
  path: string;
  size: number;
  wire: number;
  sha256: string;
}
export interface Manifest {
  pyodide: string;
  pyscript: string;
  config: string;
  packages: string[];
  engine: string;
  checker: string;
  library: string;
  /** pdf.js and its decoders; one folder. */
  pdf: Part[];
  /** `learning` is fetched only when a person has the reader learn a print. */
  parts: { full: Part[]; checker: Part[]; learning: Part[] };
}
declare const manifest: Manifest;
export default manifest;
