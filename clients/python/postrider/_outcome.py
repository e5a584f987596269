"""How a run ends. A handler that returns delivers; one that raises fails."""

from __future__ import annotations

from typing import Any, Dict, Optional

from ._values import clean_milliseconds, clean_text

ERROR_BYTES_MAX = 8192


class Transient(Exception):
    """Retry by the retry policy, or after `delay` seconds."""

    def __init__(self, error: str, error_class: str = "transient", delay: Optional[float] = None) -> None:
        super().__init__(error)
        self.error_class = error_class
        self.delay = delay


class Terminal(Exception):
    """Do not retry: the message becomes a dead letter at once."""

    def __init__(self, error: str, error_class: str = "terminal") -> None:
        super().__init__(error)
        self.error_class = error_class


class Snooze(Exception):
    """Run again after `delay` seconds. Uses no attempt."""

    def __init__(self, delay: float) -> None:
        super().__init__(f"snooze for {delay} s")
        self.delay = delay


def _text(value: object) -> str:
    return clean_text(value, ERROR_BYTES_MAX)


def failure(run: int, problem: BaseException) -> Dict[str, Any]:
    """The outcome of a run that raised."""
    if isinstance(problem, Snooze):
        return {"run": run, "outcome": "snooze", "delay_ms": clean_milliseconds(problem.delay)}
    error = _text(problem) or type(problem).__name__
    if isinstance(problem, Terminal):
        return {"run": run, "outcome": "terminal", "error": error, "error_class": _text(problem.error_class)}
    how: Dict[str, Any] = {"run": run, "outcome": "transient", "error": error}
    if isinstance(problem, Transient):
        how["error_class"] = _text(problem.error_class)
        if problem.delay is not None:
            how["delay_ms"] = clean_milliseconds(problem.delay)
        return how
    sqlstate = getattr(problem, "sqlstate", None)  # of psycopg; wrong data is terminal
    how["error_class"] = _text(f"sqlstate:{sqlstate}" if isinstance(sqlstate, str) else type(problem).__name__)
    return how
