"""The conformance child of the Python client; with the argument "batches" of its batch handlers."""
import os
import pathlib
import sys
import time
from typing import List, Optional

sys.path.insert(0, str(pathlib.Path(__file__).parents[3] / "clients/python"))
from postrider import Message, Snooze, Terminal, Transient, serve, serve_batches  # noqa: E402


def handle(message: Message[dict]) -> None:
    action = message.payload["do"]
    print("stdout of a handler is no line of the protocol")
    if action == "fail":
        raise Transient("as asked", "example")
    if action == "terminal":
        raise Terminal("as asked", "example")
    if action == "snooze":
        raise Snooze(1.5)
    if action == "record":
        message.progress(0.5, "half")
        message.result({"n": 1})
    if action == "crash":
        os._exit(3)
    if action == "wait":
        file = pathlib.Path(message.payload["file"])
        file.with_name(file.name + ".begun").touch()
        while not file.exists():
            time.sleep(0.02)


def problem_of(message: Message[dict]) -> Optional[Exception]:
    try:
        handle(message)
    except Exception as problem:
        return problem
    return None


def handle_all(messages: List[Message[dict]]) -> List[Optional[Exception]]:
    return [problem_of(message) for message in messages]


if sys.argv[1:] == ["batches"]:
    serve_batches(handle_all, 20)
else:
    serve({"order.*": handle})
