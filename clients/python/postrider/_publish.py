"""Publishing in the caller's own transaction, with psycopg 3."""

from __future__ import annotations

import json
from typing import Any, Dict, Iterable, Mapping, Tuple
from uuid import UUID

_DOCUMENTS = ("payload", "headers", "metadata")


def _statement(event_type: str, payload: Any, fields: Mapping[str, Any]) -> Tuple[str, Dict[str, Any]]:
    envelope: Dict[str, Any] = {"event_type": event_type, "payload": payload, **fields}
    if envelope.get("generation") is not None and not envelope.get("channel"):
        envelope["channel"] = f"outbox_gen_{envelope['generation']}"
    values: Dict[str, Any] = {}
    arguments = []
    for name, value in envelope.items():
        if value is None and name != "payload":
            continue
        if not name.isidentifier():
            raise ValueError(f"publish: unknown field {name!r}")
        document = name in _DOCUMENTS
        values[name] = json.dumps(value) if document else value
        arguments.append(f"p_{name} => %({name})s" + ("::jsonb" if document else ""))
    return f"select postrider.publish({', '.join(arguments)})", values


def publish(connection: Any, event_type: str, payload: Any = None, **fields: Any) -> UUID:
    """Appends a message in the transaction of `connection` (a psycopg connection or cursor).

    Fields are those of `postrider.publish`: source, target, idempotency_key, available_at, priority, ...
    Returns the id of the message, which exists when the transaction commits.
    """
    row = connection.execute(*_statement(event_type, {} if payload is None else payload, fields)).fetchone()
    return row[0]


async def publish_async(connection: Any, event_type: str, payload: Any = None, **fields: Any) -> UUID:
    """The same on an asynchronous connection."""
    cursor = await connection.execute(*_statement(event_type, {} if payload is None else payload, fields))
    return (await cursor.fetchone())[0]


_MANY = "select postrider.publish_many(%s::jsonb)"


def _array(messages: Iterable[Mapping[str, Any]]) -> str:
    return json.dumps(list(messages), default=str)


def publish_many(connection: Any, messages: Iterable[Mapping[str, Any]]) -> int:
    """Appends up to 10,000 messages, each a mapping with `event_type`, `payload` and other fields."""
    return connection.execute(_MANY, (_array(messages),)).fetchone()[0]


async def publish_many_async(connection: Any, messages: Iterable[Mapping[str, Any]]) -> int:
    """The same on an asynchronous connection."""
    cursor = await connection.execute(_MANY, (_array(messages),))
    return (await cursor.fetchone())[0]
