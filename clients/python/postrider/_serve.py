"""The handler loop: a child of `postrider work --stay`."""

from __future__ import annotations

import json
import os
import select
import sys
import time
from collections import deque
from decimal import Decimal
from typing import Any, Callable, Deque, Dict, List, Mapping, Optional, Sequence

from ._message import Message
from ._outcome import Transient, failure
from ._values import outcome_lines

PROTOCOL = 1
_LOOK_AGAIN = 0.1  # seconds between looks for a stop while messages wait

Handler = Callable[[Message[Any]], None]
BatchHandler = Callable[[List[Message[Any]]], Optional[Sequence[Optional[BaseException]]]]
_KNOWN_MAX = 10_000  # event types: a producer may put ids into them
_DEPTH_MAX = 20_000  # PostgreSQL accepts payloads that are nested less deeply


def _integer(text: str) -> Any:
    """Python refuses to read integers of thousands of digits, which PostgreSQL accepts."""
    try:
        return int(text)
    except ValueError:
        return Decimal(text)


_read = json.JSONDecoder(parse_int=_integer).decode


def _decode(line: str) -> Dict[str, Any]:
    """No payload may end the child, and with it the runs of other messages."""
    try:
        return _read(line)
    except RecursionError:
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(_DEPTH_MAX)
        try:
            return _read(line)
        finally:
            sys.setrecursionlimit(limit)


_encode = json.JSONEncoder(separators=(",", ":")).encode


class _Worker:
    """The other side: lines from stdin, lines to stdout."""

    def __init__(self, concurrency: int) -> None:
        self._input = 0
        self._output = os.dup(1)
        os.dup2(2, 1)  # print() goes to the log
        self._rest: List[bytes] = []  # of a line that has not ended: it may have many megabytes
        self._ended = False
        self._looked = time.monotonic()
        self.waiting: Deque[Dict[str, Any]] = deque()
        self.stopping = False
        self.hello: Dict[str, Any] = {}
        while not self.hello and self.read():
            pass
        hello = {"type": "hello", "protocol": PROTOCOL, "concurrency": concurrency}
        self.write({**hello, "batch": concurrency} if concurrency > 1 else hello)

    def read(self) -> bool:
        """Waits for lines; False at the end of the input."""
        chunk = b"" if self._ended else os.read(self._input, 1 << 18)
        self._looked = time.monotonic()
        self._ended = not chunk
        *lines, rest = chunk.split(b"\n")
        if lines:
            lines[0] = b"".join([*self._rest, lines[0]])
            self._rest = []
        self._rest.append(rest)
        for line in lines:
            self._take(_decode(line.decode()))
        return not self._ended

    def _take(self, line: Dict[str, Any]) -> None:
        kind = line["type"]
        if kind == "messages":
            self.waiting.extend(line["messages"])
        elif kind == "stop":
            self.stopping = True
        elif kind == "hello":
            if line["protocol"] != PROTOCOL:
                sys.exit(f"the worker speaks protocol {line['protocol']}, this child speaks {PROTOCOL}")
            self.hello = line

    def more(self) -> bool:
        """Waits until a message waits; False at the end."""
        if self.waiting and time.monotonic() - self._looked > _LOOK_AGAIN:
            if select.select([self._input], [], [], 0)[0]:
                self.read()
        while not self.waiting or self.stopping:
            while self.waiting:
                self.write({"type": "outcome", "run": self.waiting.popleft()["run"], "outcome": "interrupted"})
            if not self.read():
                return False
        return True

    def write(self, line: Mapping[str, Any]) -> None:
        self.write_bytes(_encode(line).encode() + b"\n")

    def write_outcomes(self, outcomes: List[str]) -> None:
        for line in outcome_lines(outcomes):
            self.write_bytes(line.encode() + b"\n")

    def write_bytes(self, data: bytes) -> None:
        while data:
            data = data[os.write(self._output, data):]


def _handler_for(handlers: Mapping[str, Handler], event_type: str) -> Handler:
    """Of the exact event type, else of the longest prefix (`user.*`), else of `*`."""
    if event_type in handlers:
        return handlers[event_type]
    fitting = [p for p in handlers if p.endswith("*") and event_type.startswith(p[:-1])]
    if not fitting:
        raise Transient(f"no handler for {event_type}", "no_handler")
    return handlers[max(fitting, key=len)]


def serve(handlers: Mapping[str, Handler]) -> None:
    """Handles one message after the other, until the worker ends.

    Keys are event types: exact, a prefix (`user.*`) or `*`. A handler that returns delivers; one that raises fails:
    Terminal, Transient and Snooze decide how, every other exception is retried.
    """
    worker = _Worker(1)
    known: Dict[str, Handler] = {}
    hello, write = worker.hello, worker.write
    while worker.more():
        fields = worker.waiting.popleft()
        message: Message[Any] = Message(fields, hello, write)
        event_type = fields["event_type"]
        try:
            handle = known.get(event_type)
            if handle is None:
                if len(known) >= _KNOWN_MAX:
                    known.clear()
                handle = known[event_type] = _handler_for(handlers, event_type)
            handle(message)
        except Exception as problem:
            worker.write({"type": "outcome", **failure(fields["run"], problem)})
        else:
            # Before the next message begins: a crash is charged to the first one without an outcome.
            if message.recorded is None:
                worker.write_bytes(b'{"type":"outcome","run":%d,"outcome":"delivered"}\n' % fields["run"])
            else:
                worker.write_outcomes([message.delivered()])


def serve_batches(handle: BatchHandler, size: int = 100) -> None:
    """Handles up to `size` messages at once. The handler returns nothing, or for each message None or an exception."""
    worker = _Worker(size)
    while worker.more():
        batch = [worker.waiting.popleft() for _ in range(min(size, len(worker.waiting)))]
        messages: List[Message[Any]] = [Message(fields, worker.hello, worker.write) for fields in batch]
        try:
            problems = handle(messages) or [None] * len(batch)
            if len(problems) != len(batch):
                raise ValueError(f"the handler gave {len(problems)} outcomes for {len(batch)} messages")
        except Exception as problem:
            problems = [problem] * len(batch)
        outcomes = [
            message.delivered() if problem is None else _encode(failure(fields["run"], problem))
            for fields, message, problem in zip(batch, messages, problems)
        ]
        worker.write_outcomes(outcomes)
