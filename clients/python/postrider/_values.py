"""Values of handlers, in a form that the worker accepts. A line that it refuses ends the child, and with it other runs."""

from __future__ import annotations

import json
import math
import re
from typing import Any, Iterable, List

_DELAY_MAX = 1_000_000_000_000  # milliseconds
_RESULT_BYTES_MAX = 16384
_RESULT_DEPTH_MAX = 500  # the worker reads lines of up to 512 levels
_LINE_BYTES = 1 << 19  # a line ends with the outcome that reaches it; the worker takes twice as much

_encode = json.JSONEncoder(separators=(",", ":"), allow_nan=False, ensure_ascii=False).encode
_ESCAPE = re.compile(r"\\(u0000|.)")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')


def clean_text(value: object, bytes_max: int) -> str:
    """PostgreSQL stores neither zero bytes nor unpaired surrogates."""
    try:
        text = str(value)
    except Exception as problem:  # of a document that is nested too deeply, for example
        text = f"a {type(value).__name__} without a text: {type(problem).__name__}"
    return text.replace("\0", "").encode("utf-8", "replace")[:bytes_max].decode("utf-8", "ignore")


def clean_milliseconds(seconds: float) -> int:
    try:
        number = float(seconds) * 1000
    except OverflowError:  # an integer of hundreds of digits
        number = math.inf if seconds > 0 else 0.0
    except (TypeError, ValueError):
        return 0
    return 0 if math.isnan(number) else int(min(max(number, 0.0), _DELAY_MAX))


def clean_fraction(fraction: float) -> float:
    number = float(fraction)
    if math.isnan(number):
        raise ValueError("the fraction of a progress must be a number from 0 to 1, got NaN")
    return min(max(number, 0.0), 1.0)


def _depth(document: str) -> int:
    depth = deepest = 0
    for letter in _STRING.sub("", document):
        depth += (letter in "[{") - (letter in "]}")
        deepest = max(deepest, depth)
    return deepest


def result_json(value: Any) -> str:
    """Raises TypeError or ValueError for a value that cannot be a result."""
    too_deep = f"a result must be nested at most {_RESULT_DEPTH_MAX} levels deep"
    try:
        text = _encode(value)
    except RecursionError:
        raise ValueError(too_deep) from None
    text = _ESCAPE.sub(lambda found: "" if found[1] == "u0000" else found[0], text)
    document = text.encode("utf-8", "replace")
    if len(document) > _RESULT_BYTES_MAX:
        raise ValueError(f"a result must have at most {_RESULT_BYTES_MAX} bytes; store it elsewhere and record a reference")
    text = document.decode()
    if _depth(text) > _RESULT_DEPTH_MAX:
        raise ValueError(too_deep)
    return text


def outcome_lines(outcomes: Iterable[str]) -> List[str]:
    """Lines with these outcomes, each a JSON object. Results and errors of many messages do not fit into one."""
    lines: List[str] = []
    some: List[str] = []
    size = 0
    for one in outcomes:
        some.append(one)
        size += len(one.encode())
        if size >= _LINE_BYTES:
            lines.append(_line(some))
            some, size = [], 0
    return lines + [_line(some)] if some else lines


def _line(outcomes: List[str]) -> str:
    return '{"type":"outcomes","outcomes":[' + ",".join(outcomes) + "]}"
