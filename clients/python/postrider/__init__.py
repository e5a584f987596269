"""Publish messages in your own transaction, and handle them as a child of `postrider work --stay`."""

from ._message import Message
from ._outcome import Snooze, Terminal, Transient
from ._publish import publish, publish_async, publish_many, publish_many_async
from ._serve import serve, serve_batches

__all__ = [
    "Message",
    "Snooze",
    "Terminal",
    "Transient",
    "publish",
    "publish_async",
    "publish_many",
    "publish_many_async",
    "serve",
    "serve_batches",
]
