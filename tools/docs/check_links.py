#!/usr/bin/env python3
"""check_links.py <site>: every link and picture inside a static site leads to a file, and every fragment to an element."""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    def __init__(self, file):
        super().__init__()
        self.links, self.names = [], set()
        self.feed(file.read_text())

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.names.update(values[name] for name in ("id", "name") if values.get(name))
        for name in ("href", "src"):
            if values.get(name):
                self.links.append(value[name])


def problems(site):
    pages = {file.resolve(): Page(file) for file in site.rglob("*.html")}
    for file, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            path = unquote(parts.path)
            # The page for errors may be shown at any address, so its links begin at the root of the site.
            target = file if not path else (site / path[1:] if path.startswith("/") else file.parent / path).resolve()
            if not target.is_file():
                yield f"{file.relative_to(site)}: {link} leads nowhere"
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].names:
                yield f"{file.relative_to(site)}: {link}: that page has no such section"
    if len(pages) < 20:
        yield f"only {len(pages)} pages"


def main():
    found = sorted(set(problems(Path(sys.argv[1]).resolve())))
    print("\n".join(found))
    sys.exit(1 if found else 0)


main()
