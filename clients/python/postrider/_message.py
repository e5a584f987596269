"""A message as a handler gets it."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Callable, Dict, Generic, Mapping, Optional, TypeVar

from ._values import clean_fraction, clean_text, result_json

Payload = TypeVar("Payload")

_TEXT_BYTES_MAX = 1000
_ONCE = "select postrider.handle_once(row(%s, %s, %s, %s)::postrider.inbox_key)"


class Message(Generic[Payload]):
    """The envelope and the payload of one message, and the run that handles it."""

    __slots__ = ("_fields", "_hello", "_write", "recorded")

    def __init__(self, fields: Mapping[str, Any], hello: Mapping[str, Any], write: Callable[[Dict[str, Any]], None]):
        self._fields = fields
        self._hello = hello
        self._write = write
        self.recorded: Optional[str] = None  # the result, as JSON

    @property
    def id(self) -> str:
        return self._fields["message_id"]

    @property
    def event_type(self) -> str:
        return self._fields["event_type"]

    @property
    def event_version(self) -> int:
        return self._fields["event_version"]

    @property
    def payload(self) -> Payload:
        return self._fields["payload"]

    @property
    def headers(self) -> Mapping[str, Any]:
        return self._fields.get("headers") or {}

    @property
    def occurred_at(self) -> datetime:
        return datetime.fromisoformat(self._fields["occurred_at"].replace("Z", "+00:00"))

    @property
    def source(self) -> str:
        return self._fields["source"]

    @property
    def idempotency_key(self) -> str:
        """The same over retries and replays."""
        return self._fields["idempotency_key"]

    @property
    def target(self) -> Optional[str]:
        """The one consumer it is for; None: all of them."""
        return self._fields.get("target")

    @property
    def workspace_id(self) -> Optional[str]:
        return self._fields.get("workspace_id")

    @property
    def ordering_key(self) -> Optional[str]:
        return self._fields.get("ordering_key")

    @property
    def partition_key(self) -> Optional[str]:
        return self._fields.get("partition_key")

    @property
    def content_class(self) -> Optional[str]:
        return self._fields.get("content_class")

    @property
    def generation(self) -> Optional[int]:
        return self._fields.get("generation")

    @property
    def attempts(self) -> int:
        """Of this cycle, this one included."""
        return self._fields["attempts"]

    @property
    def cycle(self) -> int:
        """Above 1 after a replay."""
        return self._fields["cycle"]

    @property
    def run_key(self) -> str:
        """Different for every attempt: a fencing token for effects outside the database."""
        return self._fields["run_key"]

    @property
    def trace_context(self) -> Optional[str]:
        return self._fields.get("trace_context")

    @property
    def consumer(self) -> str:
        return self._hello["consumer"]

    @property
    def handler(self) -> str:
        return self._hello["handler"]

    def get(self, field: str) -> Any:
        """A field by its name in the protocol, also one unknown to this version; None if the message has none."""
        return self._fields.get(field)

    def extend(self) -> None:
        """The timeout of this run begins again."""
        self._write({"type": "extend", "run": self._fields["run"]})

    def progress(self, fraction: float, text: Optional[str] = None) -> None:
        """Records how far the job is: a fraction from 0 to 1, and a text, which is cut at 1000 bytes.

        Raises ValueError or TypeError for a fraction that is not a number.
        """
        line: Dict[str, Any] = {"type": "progress", "run": self._fields["run"], "fraction": clean_fraction(fraction)}
        self._write(line if text is None else {**line, "text": clean_text(text, _TEXT_BYTES_MAX)})

    def result(self, value: Any) -> None:
        """Records the result of the job with its outcome: any JSON of up to 16384 bytes and 500 levels.

        Raises ValueError or TypeError for any other value. Zero bytes are removed from texts, unpaired surrogates replaced.
        """
        self.recorded = None if value is None else result_json(value)

    def delivered(self) -> str:
        """The outcome of a successful run, as JSON."""
        result = "" if self.recorded is None else f',"result":{self.recorded}'
        return f'{{"run":{self._fields["run"]},"outcome":"delivered"{result}}}'

    def handle_once(self, connection: Any) -> bool:
        """Enters the effect into the inbox, in the transaction that makes it.

        False: a committed transaction has made it, so the handler skips it.
        """
        key = (self.consumer, self.handler, self.source, self.idempotency_key)
        row = connection.execute(_ONCE, key).fetchone()
        return bool(row[0])
