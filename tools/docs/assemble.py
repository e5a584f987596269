#!/usr/bin/env python3
"""assemble.py <root> <dir>: writes the sources of the static site, <dir>/source and <dir>/mkdocs.yml.

The site has the layout of the repository, so links between pages are the same in both. Linked files that are no pages are copied;
a linked folder without a README.md gets a page that lists it.
"""

import json
import re
import shutil
import sys
from pathlib import Path
from urllib.parse import unquote

LINK = re.compile(r"\]\(([^)\s]+)\)")
PAGES = ["README.md", "SECURITY.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs", "sql/README.md", "examples/README.md", "deploy/README.md",
         "chaos/README.md", "clients/node/README.md", "clients/python/README.md"]
SECTIONS = [("Guides", "docs/guides"), ("Reference", "docs/reference"), ("Decisions", "docs/decisions")]
MORE = ["docs/architecture.md", "docs/glossary.md", "docs/benchmarks.md", "SECURITY.md", "CONTRIBUTING.md", "CHANGELOG.md"]


def without_code(text):
    return re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)


def title(page):
    return next(line[2:].strip() for line in page.read_text().splitlines() if line.startswith("# "))


def list_folder(root, folder):
    """A page for a folder that has none."""
    lines = [f"# {folder.relative_to(root)}", ""]
    for file in sorted(folder.iterdir()):
        if file.is_file():
            lines.append(f"- [{title(file) if file.suffix == '.md' else file.name}]({file.name})")
    return "\n".join(lines) + "\n"


def copy(root, source, file):
    """Copies a page or a linked file, and everything that a page links to. Links out of the tree are left to the check."""
    target = source / file.relative_to(root)
    if (target / "README.md" if file.is_dir() else target).exists():
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    if file.is_dir():
        if (file / "README.md").exists():
            copy(root, source, file / "README.md")
            return
        target.mkdir(exist_ok=True)
        (target / "README.md").write_text(list_folder(root, file))
        for entry in sorted(file.iterdir()):
            if entry.is_file():
                copy(root, source, entry)
        return
    if file.suffix != ".md":
        shutil.copyfile(file, target)
        return
    text = file.read_text()
    target.write_text(text)
    for link in LINK.findall(without_code(text)):
        path = unquote(link.split("#")[0])
        linked = (file.parent / path).resolve()
        if path and not re.match(r"[a-z]+:", path) and linked.exists() and root in linked.parents:
            copy(root, source, linked)
    target.write_text(directories_as_pages(file, text))


def directories_as_pages(file, text):
    """A link to a folder leads to its page."""
    def lead(match):
        path = match.group(1)
        if "#" in path or ":" in path or not (file.parent / path).is_dir():
            return match.group(0)
        return f"]({path.rstrip('/')}/README.md)"
    return LINK.sub(lead, text)


def in_order(root, folder):
    """The pages of a folder, in the order in which the index names them."""
    index = (root / "docs/README.md").read_text()
    place = {page.name: index.find(f"/{page.name})") for page in (root / folder).glob("*.md")}
    return sorted(place, key=lambda name: (place[name] < 0, place[name], name))


def configuration(root):
    navigation = [{"Postrider": "README.md"}, {"Index": "docs/README.md"}]
    for name, folder in SECTIONS:
        navigation.append({name: [f"{folder}/{page}" for page in in_order(root, folder)]})
    navigation.append({"More": MORE})
    return {
        "site_name": "Postrider",
        "docs_dir": "source",
        "site_dir": "site",
        # Pages open without a server, too.
        "use_directory_urls": False,
        "theme": {"name": "readthedocs", "navigation_depth": 2},
        "plugins": ["search"],
        "markdown_extensions": ["tables", "fenced_code", {"toc": {"permalink": True}}, "sane_lists"],
        "extra_javascript": ["diagrams.js"],
        "nav": navigation,
    }


def main():
    root, place = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
    source = place / "source"
    shutil.rmtree(source, ignore_errors=True)
    source.mkdir(parents=True)
    for page in PAGES:
        for file in sorted((root / page).rglob("*")) if (root / page).is_dir() else [root / page]:
            if file.is_file():
                copy(root, source, file)
    shutil.copyfile(Path(__file__).parent / "diagrams.js", source / "diagrams.js")
    # YAML contains JSON.
    (place / "mkdocs.yml").write_text(json.dumps(configuration(root), indent=1))


main()
