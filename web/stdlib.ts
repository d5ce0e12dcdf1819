/** Python's standard library for browsers, compiled ahead: Python then starts in half the time. */
import { loadPyodide } from "pyodide";

/** Modules that nothing in a browser's worker uses. */
const LEFT_OUT = [
  "_pyrepl",
  "doctest",
  "ftplib",
  "imaplib",
  "mailbox",
  "multiprocessing",
  "optparse",
  "pdb",
  "pickletools",
  "poplib",
  "pydoc",
  "smtplib",
  "unittest",
  "wsgiref",
  "xmlrpc",
];

/** Without docstrings, and without times, so that equal modules give equal bytes. */
const COMPILE = `
import importlib._bootstrap_external as bootstrap
import importlib.util
import zipfile

def compiled(name, data):
    code = compile(data, f"/lib/python314.zip/{name}", "exec", dont_inherit=True, optimize=2)
    return bootstrap._code_to_hash_pyc(code, importlib.util.source_hash(data), False)

with zipfile.ZipFile("/stdlib.zip") as source, zipfile.ZipFile("/compiled.zip", "w") as target:
    for name in sorted(source.namelist()):
        if name.split("/")[0].removesuffix(".py") in left_out:
            continue
        data = source.read(name)
        if name.endswith(".py"):
            name, data = f"{name}c", compiled(name, data)
        target.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), data)
`;

/** Return the archive with compiled modules. It is not compressed itself. */
export async function compiled(stdlib: Uint8Array): Promise<Uint8Array> {
  const python = await loadPyodide();
  python.FS.writeFile("/stdlib.zip", stdlib);
  python.globals.set("left_out", python.toPy(LEFT_OUT));
  python.runPython(COMPILE);
  return python.FS.readFile("/compiled.zip") as Uint8Array;
}
