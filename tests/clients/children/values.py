"""A child that records and raises the values of its payloads; with the argument "batches" by a batch handler."""
import sys

from postrider import Message, Snooze, Terminal, Transient, serve, serve_batches


def handle(message: Message[dict]) -> None:
    payload = message.payload
    if "progress" in payload:
        message.progress(*payload["progress"])
    if "result" in payload:
        message.result(payload["result"])
    if "error" in payload:
        raise Terminal(payload["error"], payload["error"])
    if "raise" in payload:
        raise ValueError(payload["raise"])
    if "delay" in payload:
        raise Transient("later", delay=payload["delay"])
    if "snooze" in payload:
        raise Snooze(payload["snooze"])


def handle_all(messages):
    problems = []
    for message in messages:
        try:
            handle(message)
            problems.append(None)
        except Exception as problem:
            problems.append(problem)
    return problems


if sys.argv[1:] == ["batches"]:
    serve_batches(handle_all)
else:
    serve({"*": handle})
