#!/usr/bin/env python3
"""extract_cpp.py <root> <output.cpp>: the C++ blocks of README.md and the guides as functions of one file, which is compiled.

A block may use the names of prelude.hpp, and those that PARAMETERS gives it. Definitions stand before its first empty line.
"""

import re
import sys
from pathlib import Path

BLOCK = re.compile(r"^```cpp\n(.*?)^```", re.M | re.S)
DATABASE, WORK, WORKER = "postrider::connection& database", "postrider::transaction& work", "postrider::worker& worker"
PARAMETERS = {
    ("jobs.md", 1): f"{DATABASE}, const std::string& text",
    ("jobs.md", 2): f"{DATABASE}, const std::vector<postrider::message>& parts",
    ("jobs.md", 3): WORKER,
    ("jobs.md", 4): f"{WORKER}, void (*make_report)(const postrider::event&)",
    ("jobs.md", 5): DATABASE,
    ("ordering.md", 1): f"{DATABASE}, const std::string& payload",
    ("publishing.md", 2): "PGconn* connection",
    ("publishing.md", 3): "pqxx::connection& connection",
    ("publishing.md", 4): WORK,
    ("publishing.md", 5): WORK,
    ("schedules.md", 1): WORKER,
    ("throttling.md", 1): f"{WORKER}, void (*send)(const postrider::event&)",
    ("working.md", 2): WORKER,
    ("working.md", 3): WORKER,
}


def is_definition(part):
    return part.startswith("struct ")


def function(page, number, line, block):
    includes = [text for text in block.splitlines() if text.startswith("#include")]
    rest = "\n".join("" if text.startswith("#include") else text for text in block.splitlines())
    definitions, statements = "", rest
    first, _, others = rest.partition("\n\n")
    if is_definition(first):
        definitions, statements = first, "\n\n" + others
    name = f"{page.stem.replace('-', '_').lower()}_{number}"
    parameters = PARAMETERS.get((page.name, number), "")
    place = f'#line {line} "{page.name}"\n'
    return includes, f"namespace {name} {{\n{place}{definitions}\nvoid run({parameters});\nvoid run({parameters}) {{\n{place}{statements}\n}}\n}}\n"


def main():
    root, output = Path(sys.argv[1]), Path(sys.argv[2])
    includes, functions = ['#include "prelude.hpp"'], []
    for page in [root / "README.md", *sorted((root / "docs/guides").glob("*.md"))]:
        text = page.read_text()
        for number, found in enumerate(BLOCK.finditer(text), 1):
            more, one = function(page, number, text.count("\n", 0, found.start()) + 2, found.group(1))
            includes += more
            functions.append(one)
    if len(functions) < 10:
        sys.exit(f"only {len(functions)} blocks were found")
    output.write_text("\n".join(dict.fromkeys(includes)) + "\n\n" + "\n".join(functions))


main()
