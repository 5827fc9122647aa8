"""The workflows on GitHub: they parse, pin what they use, may do what they need, and name what exists."""

from __future__ import annotations

import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / ".github" / "workflows"
FLOWS: dict[str, dict[Any, Any]] = {
    path.stem: yaml.safe_load(path.read_text("utf-8")) for path in sorted(FOLDER.glob("*.yml"))
}
RELEASE = "Build the site and the single file"


def jobs() -> Iterator[tuple[str, str, dict[str, Any]]]:
    for flow, content in FLOWS.items():
        for name, job in content["jobs"].items():
            yield flow, name, job


def steps() -> Iterator[tuple[str, dict[str, Any]]]:
    for flow, name, job in jobs():
        for step in job.get("steps", []):
            yield f"{flow}.{name}", step


def script(flow: str, name: str) -> str:
    (found,) = [step["run"] for where, step in steps() if where.startswith(flow) and step.get("name") == name]
    return str(found)


def test_there_are_the_flows_that_the_project_promises() -> None:
    assert set(FLOWS) == {"tests", "pages", "release", "nightly"}
    # YAML 1.1 reads a bare `on` as true.
    events = {flow: set(content[True]) for flow, content in FLOWS.items()}
    assert "pull_request" in events["tests"]
    assert FLOWS["pages"][True]["push"] == {"branches": ["main"]}
    assert FLOWS["release"][True]["push"] == {"tags": ["v*"]}
    assert "schedule" in events["nightly"]


@pytest.mark.parametrize(("where", "step"), list(steps()))
def test_actions_are_pinned_and_shells_parse(where: str, step: dict[str, Any]) -> None:
    if "uses" in step:
        assert re.fullmatch(r"[\w.-]+/[\w.-]+@[0-9a-f]{40}", step["uses"]), where
    else:
        plain = re.sub(r"\$\{\{.*?\}\}", "x", step["run"])
        # What an event says may be anybody's text: it reaches a shell as a variable, never as its words.
        assert plain == step["run"], where
        subprocess.run(["bash", "-n"], input=step["run"], text=True, check=True)


@pytest.mark.parametrize(("flow", "name", "job"), list(jobs()))
def test_jobs_may_do_only_what_they_need(flow: str, name: str, job: dict[str, Any]) -> None:
    assert FLOWS[flow]["permissions"] == {"contents": "read"}
    more = {("pages", "deploy"): {"pages", "id-token"}, ("release", "release"): {"contents"}}
    assert set(job.get("permissions", {})) == more.get((flow, name), set())
    if "uses" in job:
        assert (ROOT / job["uses"]).exists()
    else:
        assert job["timeout-minutes"] <= 120
        assert re.search(r"-\d", job["runs-on"]), "a named version of the system"


def test_what_goes_out_was_tested_before() -> None:
    for flow, first, last in (("pages", "build", "deploy"), ("release", "release", "release")):
        content = FLOWS[flow]["jobs"]
        assert content["test"]["uses"] == "./.github/workflows/tests.yml"
        assert content[first]["needs"] == "test"
        assert last == first or content[last]["needs"] == first


def test_commands_of_the_flows_exist() -> None:
    said = subprocess.run([sys.executable, ROOT / "build.py", "--help"], capture_output=True, text=True)
    for where, step in steps():
        for action in re.findall(r"build\.py (\w+)", step.get("run", "")):
            assert re.search(rf"\b{action}\b", said.stdout), where
        for path in re.findall(r"hashFiles\((.*?)\)", str(step)):
            assert [name for name in re.findall(r"'([^']+)'", path) if not (ROOT / name).exists()] == []
        for path in re.findall(r"\bbash (\S+)", step.get("run", "")):
            assert (ROOT / path).exists()


def test_release_packs_the_whole_site_and_its_digests(tmp_path: Path) -> None:
    """The very script of the release, with a build that is quick."""
    (tmp_path / "build.py").write_text(
        "import pathlib, sys\n"
        "if sys.argv[1] == 'site':\n"
        "    for name in ('index.html', '.nojekyll', 'static/app/main.js'):\n"
        "        path = pathlib.Path('dist', name)\n"
        "        path.parent.mkdir(parents=True, exist_ok=True)\n"
        "        path.write_text(name)\n"
        "else:\n"
        "    pathlib.Path('image-to-fen.html').write_text('single')\n",
        "utf-8",
    )
    # As the runner starts it: it stops at the first command that fails.
    subprocess.run(["bash", "-e", "-c", script("release", RELEASE)], cwd=tmp_path, check=True)
    folder = tmp_path / "release"
    assert {path.name for path in folder.iterdir()} == {
        "SHA256SUMS",
        "image-to-fen.html",
        "image-to-fen-site.zip",
    }
    with zipfile.ZipFile(folder / "image-to-fen-site.zip") as site:
        files = {name for name in site.namelist() if not name.endswith("/")}
    assert files == {"index.html", ".nojekyll", "static/app/main.js"}
    subprocess.run(["sha256sum", "--check", "SHA256SUMS"], cwd=folder, check=True, capture_output=True)


def test_a_pinned_version_is_named_beside_its_digest() -> None:
    for path in FOLDER.glob("*.yml"):
        for line in path.read_text("utf-8").splitlines():
            if "uses:" in line and "@" in line:
                assert re.search(r"# v\d+\.\d+\.\d+$", line), f"{path.name}: {line.strip()}"
