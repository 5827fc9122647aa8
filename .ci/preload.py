"""Tell the browser at once which modules the page will ask for, so that they come side by side.

Where it stands: between the assembled files and the finished site; `assemble` calls it.
What always holds: only modules that the page really imports are named, each once; a page that starts no
module is left as it is. Without this each module is found only when the one that imports it has come.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

_ENTRY = re.compile(r'( *)<script type="module" src="([^"]+)"(?: async)?></script>')
_IMPORT = re.compile(r"""(?:^|[;\s}])(?:import|export)\b[^'";()]*?\bfrom\s*['"](\.{1,2}/[^'"]+)['"]""")
_BARE_IMPORT = re.compile(r"""(?:^|[;\s}])import\s*\(?\s*['"](\.{1,2}/[^'"]+)['"]""")
_COMMENT = re.compile(r"/\*.*?\*/|(?<!:)//[^\n]*", re.DOTALL)


def add_preloads(page: Path, *also: str) -> list[str]:
    """Name the modules of a page in its head, and return them.

    Parameters
    ----------
    page
        The HTML file, in the assembled site; its folder is the site's root.
    also
        Other modules that it will import, by their place in the site.
    """
    html = page.read_text("utf-8")
    entries = list(_ENTRY.finditer(html))
    if not entries:
        return []
    modules = module_graph(page.parent, *(entry[2] for entry in entries), *also)
    first = entries[0]
    links = "".join(f'{first[1]}<link rel="modulepreload" href="{name}">\n' for name in modules)
    page.write_text(html[: first.start()] + links + html[first.start() :], "utf-8")
    return modules


def module_graph(site: Path, *entries: str) -> list[str]:
    """Return the modules that `entries` import, with themselves, each once, the nearest first."""
    found = list(dict.fromkeys(entries))
    for name in found:
        text = _COMMENT.sub("", (site / name).read_text("utf-8"))
        for wanted in (*_IMPORT.findall(text), *_BARE_IMPORT.findall(text)):
            path = posixpath.normpath(posixpath.join(posixpath.dirname(name), wanted))
            if path not in found and (site / path).exists():
                found.append(path)
    return found
