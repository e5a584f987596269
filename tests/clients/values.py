#!/usr/bin/env python3
"""values.py <root> python|python_batches|node: a handler may record and raise any value of its payload. Each line of its child is one that
the worker accepts, and a value that cannot be sent fails its own message only. Skipped (77) where the language is missing."""
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

LINE_BYTES_MAX = 1 << 20
DEPTH_MAX = 512
DELAY_MAX = 10**12


def nested(levels: int) -> str:
    return "[" * levels + "]" * levels


HALF = r'"a\ud83d"'  # of a surrogate pair
# A payload, its outcome, and a part of its lines.
CASES = [
    (f'{{"progress":[0.5,{HALF}]}}', "delivered", '"fraction":0.5'),
    (r'{"progress":[0.5,"a\u0000b"]}', "delivered", '"text":"ab"'),
    ('{"progress":[0.5,"%s"]}' % ("é" * 600_000), "delivered", '"fraction":0.5'),
    ('{"progress":[0.5,{"n":1}]}', "delivered", '"fraction":0.5'),
    ('{"progress":["NaN","x"]}', "transient", "from 0 to 1"),
    ('{"progress":[1e400]}', "delivered", '"fraction":1'),
    (f'{{"result":{{"name":{HALF}}}}}', "delivered", '"result":{"name":"a'),
    (f'{{"result":{{{HALF}:1}}}}', "delivered", '"result":{"a'),
    (r'{"result":"a\u0000b\\u0000\\ud83d"}', "delivered", r'"result":"ab\\u0000\\ud83d"'),
    (r'{"result":"\ud83d\ude00"}', "delivered", '"result":"\U0001f600"'),
    (r'{"result":"[[[[\"{{{"}', "delivered", r'"result":"[[[[\"{{{"'),
    ('{"result":%s}' % nested(500), "delivered", '"result":[['),
    ('{"result":%s}' % nested(501), "transient", "500 levels"),
    ('{"result":%s}' % nested(5000), "transient", "500 levels"),
    ('{"result":"%s"}' % ("x" * 16383), "transient", "16384 bytes"),
    (f'{{"error":{HALF}}}', "terminal", '"error":"a'),
    ('{"raise":%s}' % nested(5000), "transient", '"error":'),
    ('{"raise":{"toString":1,"severity":1,"code":{"toString":1}}}', "transient", '"error":'),
    ('{"delay":1e300}', "transient", '"delay_ms":1000000000000'),
    ('{"delay":1e400}', "transient", '"delay_ms":1000000000000'),
    ('{"delay":%s}' % ("9" * 400), "transient", '"delay_ms":1000000000000'),
    ('{"delay":{"n":1}}', "transient", '"delay_ms":0'),
    ('{"snooze":1e400}', "snooze", '"delay_ms":1000000000000'),
]
# Each fits into a line, all of them do not.
CASES += [('{"result":"%s"}' % ("x" * 16382), "delivered", '"result":"xxx')] * 70
CASES += [('{"error":"%s"}' % (r"\u0001" * 8192), "terminal", '"error":"')] * 30


def run_child(root: Path, language: str) -> bytes:
    children = root / "tests/clients/children"
    command = {
        "python": ["python3", children / "values.py"],
        "python_batches": ["python3", children / "values.py", "batches"],
        "node": ["node", children / "values.mjs"],
    }[language]
    if shutil.which(command[0]) is None:
        sys.exit(77)
    envelope = '"message_id":"m","event_type":"t","event_version":1,"source":"","idempotency_key":"k","attempts":1,"cycle":1'
    runs = ['{"run":%d,%s,"payload":%s}' % (run, envelope, case[0]) for run, case in enumerate(CASES, 1)]
    lines = ['{"type":"hello","protocol":1,"consumer":"c","handler":"h","in_flight_max":100}']
    for begin in range(0, len(runs), 100):
        lines.append('{"type":"messages","messages":[%s]}' % ",".join(runs[begin : begin + 100]))
    environment = {**os.environ, "PYTHONPATH": str(root / "clients/python"), "PYTHONDONTWRITEBYTECODE": "1"}
    ended = subprocess.run(command, input=("\n".join(lines) + "\n").encode(), stdout=subprocess.PIPE, env=environment, timeout=50)
    return ended.stdout if ended.returncode == 0 else sys.exit(f"the child ended with {ended.returncode}")


def problem_of(line: bytes):
    """What the worker would refuse in a line; as in src/base/json/check_json.cpp and src/cli/stay/protocol.cpp."""
    text = line.decode()
    bare = re.sub(r'"(?:[^"\\]|\\.)*"', "", text)
    depth = deepest = 0
    for letter in bare:
        depth += (letter in "[{") - (letter in "]}")
        deepest = max(deepest, depth)
    if len(line) > LINE_BYTES_MAX or deepest > DEPTH_MAX or "NaN" in bare or "Infinity" in bare:
        return f"{len(line)} bytes, {deepest} levels"
    if r"\u0000" in text.replace(r"\\", ""):
        return "a zero byte"
    read = json.loads(text)
    try:
        json.dumps(read, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return "half of a surrogate pair"
    if read["type"] == "progress" and not (isinstance(read["fraction"], (int, float)) and 0 <= read["fraction"] <= 1):
        return "a fraction out of range"
    if read["type"] == "progress" and not isinstance(read.get("text", ""), str):
        return "a text that is not a string"
    for one in read.get("outcomes", [read]):
        delay = one.get("delay_ms", 0)
        if not isinstance(delay, int) or not 0 <= delay <= DELAY_MAX:
            return "a delay out of range"
    return None


problems = []
outcomes: dict = {}
said: dict = {}
for line in run_child(Path(sys.argv[1]).resolve(), sys.argv[2]).splitlines():
    problem = problem_of(line)
    if problem:
        problems.append(f"{problem}: {line[:80]!r}")
        continue
    read = json.loads(line)
    for one in read.get("outcomes", [read]):
        if "run" in one:
            said[one["run"]] = said.get(one["run"], "") + json.dumps(one, separators=(",", ":"), ensure_ascii=False)
        if "outcome" in one:
            outcomes.setdefault(one["run"], []).append(one["outcome"])
for run, (payload, outcome, part) in enumerate(CASES, 1):
    if outcomes.get(run) != [outcome] or part not in said.get(run, ""):
        problems.append(f"{payload[:60]}: {outcomes.get(run)}, {said.get(run, '')[:150]} instead of {outcome} with {part}")
for problem in problems[:20]:
    print(problem)
sys.exit(1 if problems else 0)
