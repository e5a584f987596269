#!/usr/bin/env python3
"""states.py <root>: one word per state. src/cli/output/states.def is the table; the page, the glossary, the API's description and the
checks of the tables have the same values and words, and no view of the page makes up its own."""
import json
import re
import sys
from pathlib import Path

root = Path(sys.argv[1])
problems = []


def text(path):
    return (root / path).read_text(encoding="utf-8")


table = {}
for of, value, word in re.findall(r'^POSTRIDER_STATE\((\w+), (\w+), "([^"]+)"\)$', text("src/cli/output/states.def"), re.M):
    table.setdefault(of, {})[value] = word
assert table, "states.def has no states"

# The page.
script = text("src/serve/page/assets/core/states.js")
block = script[script.index("const texts = {"):script.index("\n};")]
page = {of: dict(re.findall(r"(\w+): '([^']+)'", body)) for of, body in re.findall(r"^    (\w+): \{(.*?)\},$", block, re.M | re.S)}
for of in sorted(table.keys() | page.keys()):
    if table.get(of) != page.get(of):
        problems.append(f"states.js: {of} is {page.get(of)}, states.def has {table.get(of)}")

for path in sorted((root / "src/serve/page/assets").rglob("*.js")):
    name = path.relative_to(root)
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        for literal in re.findall(r"\bchip\('([^']*)'", line):
            problems.append(f"{name}:{number}: chip('{literal}'): a state is shown by state(of, value)")
        for of in re.findall(r"\b(?:state|stateText|stateLook)\('(\w+)'", line):
            if of not in table:
                problems.append(f"{name}:{number}: states.def has no states of '{of}'")
        for of, value in re.findall(r"\b(?:state|stateText)\('(\w+)', '(\w+)'", line):
            if value not in table.get(of, {}):
                problems.append(f"{name}:{number}: '{value}' is no state of '{of}'")

# The command line.
for path in sorted((root / "src/cli").rglob("*.cpp")):
    for of in re.findall(r'state_column\("[^"]*", "[^"]*", "(\w+)"\)|state_text\("(\w+)"|\.states = "(\w+)"', path.read_text(encoding="utf-8")):
        if "".join(of) not in table:
            problems.append(f"{path.relative_to(root)}: states.def has no states of '{''.join(of)}'")

# The glossary.
glossary = text("docs/glossary.md")
section = glossary[glossary.index("## States"):glossary.index("## The same in other systems")]
lines = {line for line in section.split("\n") if line.startswith("| ") and "`" in line}
listed = [[(value, word or value.replace("_", " ")) for value, word in re.findall(r"`(\w+)`(?: “([^”]+)”)?", line.split(" | ")[1])] for line in lines]
for of, values in table.items():
    if list(values.items()) not in listed:
        problems.append(f"glossary.md, States: no line has the states of '{of}': {values}")
if len(listed) != len(table):
    problems.append(f"glossary.md, States: {len(listed)} lines for {len(table)} kinds")

# The API's description.
described = json.loads(text("src/serve/routes/openapi.json"))["components"]["schemas"]
members = {("delivery", "status"): "status", ("delivery_with_cycles", "status"): "status", ("delivery_with_cycles", "state"): "job",
           ("handler", "circuit_state"): "circuit", ("handler", "circuit_mode"): "mode", ("blocked_key", "status"): "head",
           ("replay_item", "outcome"): "item", ("replay", "phase"): "replay"}
for (schema, member), of in members.items():
    found = described[schema]["properties"][member].get("enum")
    if found is None or set(found) != set(table[of]):
        problems.append(f"openapi.json: {schema}.{member} is {found}, states.def has {list(table[of])}")
if set(described["level"]["enum"]) != set(table["finding"]):
    problems.append("openapi.json: level differs from the states of findings")
attempt = described["attempt"]["properties"]["outcome"]["enum"]
if not set(attempt) <= set(table["outcome"]):
    problems.append(f"openapi.json: attempt.outcome has {attempt}")

# The database.
migrations = "".join(path.read_text(encoding="utf-8") for path in sorted((root / "sql/migrations").glob("*.sql")))
for constraint, of in (("circuit_state_check", "circuit"), ("circuit_mode_check", "mode")):
    values = re.search(constraint + r" check \(\w+ in \(([^)]*)\)\)", migrations)
    if values is None or set(re.findall(r"'(\w+)'", values[1])) != set(table[of]):
        problems.append(f"sql/migrations: {constraint} differs from the states of '{of}'")

# Metrics.
for outcomes in re.findall(r'"postrider_replay_items".*?\{("waiting".*?)\}', text("src/serve/figures/metrics.cpp"), re.S):
    if set(re.findall(r'"(\w+)"', outcomes)) != set(table["item"]):
        problems.append("metrics.cpp: the outcomes of postrider_replay_items differ from the states of items")

for problem in problems:
    print(problem)
sys.exit(1 if problems else 0)
