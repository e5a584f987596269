#!/usr/bin/env python3
"""fields.py <root>: every field of a message that a worker sends to its children has a name with a type in the clients for Python and
Node.js. The worker's own code says which fields there are."""
import re
import sys
from pathlib import Path

root = Path(sys.argv[1])
sys.path.insert(0, str(root / "clients/python"))
from postrider import Message  # noqa: E402

protocol = (root / "src/cli/stay/protocol.cpp").read_text()
text = protocol[protocol.index("std::string message_text("):]
text = text[:text.index("\n}\n")]
fields = re.findall(r'\.add\("(\w+)"', text) + re.findall(r'add_document\(text, "(\w+)"', text)
assert {"message_id", "ordering_key", "payload"} <= set(fields), fields

problems = []
types = (root / "clients/node/index.d.ts").read_text()
types = types[types.index("export interface Message"):]
types = types[:types.index("\n}\n")]
page = (root / "docs/reference/child-protocol.md").read_text()
for field in fields:
    attribute = getattr(Message, "id" if field == "message_id" else field, None)
    if not isinstance(attribute, property) or "return" not in attribute.fget.__annotations__:
        problems.append(f"clients/python: Message.{field} is no property with a type")
    if not re.search(rf"readonly {field}\??: ", types):
        problems.append(f"clients/node: Message.{field} has no type")
    if f"`{field}`" not in page:
        problems.append(f"docs/reference/child-protocol.md does not name {field}")
for problem in problems:
    print(problem)
sys.exit(1 if problems else 0)
