"""A message as a handler gets it."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Callable, Dict, Generic, Mapping, Optional, TypeVar

Payload = TypeVar("Payload")

_ONCE = "select postrider.handle_once(row(%s, %s, %s, %s)::postrider.inbox_key)"


class Message(Generic[Payload]):
    """The envelope and the payload of one message, and the run that handles it."""

    __slots__ = ("_fields", "_hello", "_write")

    def __init__(self, fields: Mapping[str, Any], hello: Mapping[str, Any], write: Callable[[Dict[str, Any]], None]):
        self._fields = fields
        self._hello = hello
        self._write = write

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
        """Any other field: target, workspace_id, ordering_key, partition_key, content_class, generation."""
        return self._fields.get(field)

    def extend(self) -> None:
        """The timeout of this run begins again."""
        self._write({"type": "extend", "run": self._fields["run"]})

    def handle_once(self, connection: Any) -> bool:
        """Enters the effect into the inbox, in the transaction that makes it.

        False: a committed transaction has made it, so the handler skips it.
        """
        key = (self.consumer, self.handler, self.source, self.idempotency_key)
        row = connection.execute(_ONCE, key).fetchone()
        return bool(row[0])
