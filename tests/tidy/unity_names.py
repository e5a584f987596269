#!/usr/bin/env python3
"""unity_names.py <build folder>: fails when two files that are compiled as one (a unity build) define a function of the same name in
their anonymous namespaces. With other argument types they would overload each other, and a call could reach the wrong one."""
import collections
import pathlib
import re
import sys

# A definition or declaration at the start of a line, for example: std::string reply(const request& from) {
function = re.compile(r"^(?!#|//|return\b|using\b|namespace\b|class\b|struct\b|enum\b|TEST)[A-Za-z_][\w:<>,&*\s\[\]]*?[\s&*](\w+)\(")


def anonymous_functions(path):
    inside = False
    for line in path.read_text().splitlines():
        if line == "namespace {":
            inside = True
        elif line == "}  // namespace":
            inside = False
        elif inside and (found := function.match(line)):
            yield found.group(1)


bad = 0
for unit in sorted(pathlib.Path(sys.argv[1]).rglob("Unity/unity_*.cxx")):
    sources = [pathlib.Path(name) for name in re.findall(r'#include "([^"]+\.cpp)"', unit.read_text())]
    homes = collections.defaultdict(set)
    for source in sources:
        for name in anonymous_functions(source):
            homes[name].add(source)
    for name, files in sorted(homes.items()):
        if len(files) > 1:
            bad += 1
            print(f"{name}() is in the anonymous namespaces of", *sorted(map(str, files)))
sys.exit(bad > 0)
