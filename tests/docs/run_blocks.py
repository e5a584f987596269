#!/usr/bin/env python3
"""run_blocks.py <postrider> <root>: the shell, Python and JavaScript blocks of README.md and the guides run as they are printed.

The database is that of PGDATABASE, migrated. The blocks of a page run in order in one empty folder, after what the page takes for
granted (STAGES). Between them and the program stands only this: `work` ends when no message is left, `top` prints once, and questions
are answered with yes. A block that cannot run says why in a comment before it: <!-- not run: reason -->. Blocks of the pages in
ELSEWHERE are run by the test that is named there.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

POSTRIDER, ROOT = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
MODULES = Path(os.environ.get("POSTRIDER_TEST_CLIENT_MODULES", ROOT / "build/client-tests/node_modules"))
ELSEWHERE = {
    "dead-letters.md": "tests/e2e/guide_test.cpp", "job-recipes.md": "tests/recipes/jobs.sh", "migrating.md": "tests/recipes/migrating.sh",
    "pgmq.md": "tests/recipes/pgmq.sh", "moving.md": "tests/restore/logical_replication.sh", "recipes.md": "tests/restore/recipes.sh",
}
BLOCK = re.compile(r"^(?:<!-- not run: (?P<reason>[^\n]+) -->\n)?```(?P<kind>\w*)\n(?P<text>.*?)^```$", re.M | re.S)
COMMANDS = re.compile(r"(postrider|psql|python3|\./dev|apt|install|podman) ")

PRELUDE = r"""set -euo pipefail
postrider() {
    case $1 in
        work) set -- "$@" --once --from-beginning && case " $* " in *' --stay '*) set -- "$@" --pass-database ;; esac ;;
        top) set -- "$@" --once ;;
        # The settings of a server for tests are a problem, and it says so.
        doctor) "$POSTRIDER" "$@" || [ $? -eq 2 ]; return ;;
        erase | jobs | consumers) case " $* " in *' followers-alert '*) ;; *' --reason '*) set -- "$@" --yes ;; esac ;;
    esac
    "$POSTRIDER" "$@"
}
program() { printf '#!/bin/sh\n%s\n' "$2" >"$1" && chmod +x "$1"; }
must_be() { [ "$1" = "$2" ] || { echo "$3: $2 instead of $1" >&2 && exit 1; }; }
ask() { psql -XqAt -v ON_ERROR_STOP=1 -c "$1"; }
"""

MESSAGE = "0190a0b4-0000-7000-8000-000000000042"
# For each page: the objects that it requires, and a check of its effects.
STAGES = {
    "README.md": ("ask 'create table invoices (payload text)'", "must_be \"{'order': 42}\" \"$(ask 'select payload from invoices')\" 'the invoice'"),
    "erasing.md": (
        f"""ask "select postrider.create_consumer('mail')"
            ask "select postrider.publish('user.left', '{{\\"user\\": {{\\"id\\": 42}}}}', p_ordering_key => 'user:42')"
            ask "select postrider.publish('user.left', '{{\\"user\\": {{\\"id\\": 43}}}}', p_ordering_key => 'user:42')"
            ask "select postrider.publish('user.left', '{{}}', p_id => '{MESSAGE}')" """,
        "must_be 3 \"$(ask \"select count(*) from postrider.message where payload::text like '%erased%'\")\" 'messages erased'"),
    "in-five-minutes.md": (
        "program send-invoice 'cat >>invoices'",
        # The worker in the background may have ended before the message was there.
        "wait; postrider work --consumer billing --on 'order.*' --exec ./send-invoice; must_be '{\"order\": 42}' \"$(cat invoices)\" 'the payload'"),
    "jobs.md": (
        f"""for consumer in search importer mail; do ask "select postrider.create_consumer('$consumer')"; done
            ask "select postrider.register_worker(gen_random_uuid(), 'search', '[{{\\"name\\": \\"search.page\\", \\"event_types\\": [\\"*\\"]}}]')"
            echo '{{"event_type": "import.part", "payload": {{"part": 1}}}}' >parts.jsonl
            ask "select postrider.publish('order.placed', p_target => 'mail', p_id => '{MESSAGE}')"
            ask "select postrider.publish('newsletter', p_target => 'mail')" """,
        "must_be 'cancelled cancelled cancelled' \"$(ask \"select string_agg(error_class, ' ') from postrider.delivery\")\" 'jobs'"),
    "managed-services.md": ('URL="dbname=$PGDATABASE"', ""),
    "operating.md": ("for consumer in search metrics; do ask \"select postrider.create_consumer('$consumer')\"; done", ""),
    "ordering.md": (
        "program book 'cat >>booked'; ask \"select postrider.publish('account.opened', '7', p_ordering_key => 'a')\"",
        "must_be 7 \"$(cat booked)\" 'the payload'"),
    "other-languages.md": (
        "ask 'create table orders (number text, total int)'; ask 'create table ledger (number text)'",
        """must_be 'delivered delivered' "$(ask "select string_agg(status, ' ') from postrider.outbox")" status
           must_be A-42 "$(ask 'select number from ledger')" 'the effect'"""),
    "throttling.md": (
        """for handler in mail.send reports.make; do
               ask "select postrider.register_worker(gen_random_uuid(), '${handler%.*}', '[{\\"name\\": \\"$handler\\", \\"event_types\\": [\\"*\\"]}]')"
           done""",
        "must_be reports.make \"$(ask 'select handler from postrider.limits')\" 'limits that are left'"),
    "schedules.md": ("", "must_be 1 \"$(ask 'select count(*) from postrider.schedules')\" schedules"),
}


def write_python(folder, page, blocks):
    """Publishing runs as it is. A handler is run by the command of its page; an effect in the inbox takes the place of its `...`."""
    imports = "\n".join(line for line in blocks[0].split("\n") if line.startswith(("import ", "from ")))
    effect = "".join(f"    {line}\n" for block in blocks if "handle_once" in block for line in block.rstrip().split("\n"))
    lines, handler = [], f"{imports}\nimport psycopg\nconnection = psycopg.connect(autocommit=True)\n"
    for number, block in enumerate(blocks):
        if "\nserve(" in block:
            handler += block.replace("    ...\n", effect)
        elif "handle_once" not in block:
            (folder / f"publish_{number}.py").write_text(block.replace("postgresql:///app", ""))
            lines.append(f"python3 publish_{number}.py")
    if page == "README.md":
        handler = handler.replace("serve({", "def send_invoice(payload): connection.execute('insert into invoices values (%s)', (str(payload),))\nserve({")
        lines.append("ask \"select postrider.publish('order.placed', '{\\\"order\\\": 42}')\"")
        lines.append("postrider work --consumer billing --on 'order.*' --stay 'python3 handler.py'")
    (folder / "handler.py").write_text(handler)
    return lines


def write_node(folder, blocks):
    place = folder / "node_modules"
    place.mkdir()
    for module in MODULES.iterdir():
        (place / module.name).symlink_to(module)
    (place / "postrider").symlink_to(ROOT / "clients/node")
    lines = []
    for number, block in enumerate(blocks):
        handles = "serve({" in block
        script = "" if "import" in block else 'import { serve } from "postrider";\n'
        if not handles:
            script = 'import pg from "pg";\nconst client = new pg.Client();\nawait client.connect();\n'
        name = "handler.mjs" if handles else f"publish_{number}.mjs"
        (folder / name).write_text(script + block + ("" if handles else "await client.end();\n"))
        lines.append("postrider work --consumer billing --on 'order.*' --stay 'node handler.mjs' --children 1" if handles else f"node {name}")
    return lines


def blocks_of(page, problems):
    found = []
    text = page.read_text()
    for match in BLOCK.finditer(text):
        kind, body = match["kind"], match["text"]
        place = f"{page.name}:{text.count(chr(10), 0, match.start()) + 1}"
        if kind == "" and COMMANDS.match(body):
            problems.append(f"{place}: label it sh, so that it is run")
        if kind in ("sh", "python", "js"):
            if match["reason"] is None:
                found.append((kind, body))
        elif match["reason"]:
            problems.append(f"{place}: 'not run' before a block that is none of sh, python and js")
    return found


def run(page, blocks):
    lines = []
    with tempfile.TemporaryDirectory(prefix="postrider-docs.") as name:
        folder = Path(name)
        before, after = STAGES.get(page.name, ("", ""))
        of = {kind: [body for one, body in blocks if one == kind] for kind in ("sh", "python", "js")}
        if of["python"]:
            lines += write_python(folder, page.name, of["python"])
        lines += of["sh"]
        if of["js"]:
            lines += write_node(folder, of["js"])
        script = "\n".join([PRELUDE, before, *lines, after])
        environment = {**os.environ, "POSTRIDER": str(POSTRIDER), "PYTHONPATH": str(ROOT / "clients/python"), "PYTHONDONTWRITEBYTECODE": "1",
                       "POSTRIDER_DATABASE_URL": "postgresql://"}
        done = subprocess.run(["bash", "-c", script], cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=120, check=False)
        return None if done.returncode == 0 else f"{page.name} failed ({done.returncode}):\n{done.stdout}{done.stderr}"


def main():
    problems, count = [], 0
    only = sys.argv[3] if len(sys.argv) > 3 else None
    for page in [ROOT / "README.md", *sorted((ROOT / "docs/guides").glob("*.md"))]:
        if page.name in ELSEWHERE:
            if not (ROOT / ELSEWHERE[page.name]).exists():
                problems.append(f"{page.name}: {ELSEWHERE[page.name]} does not exist")
            continue
        blocks = blocks_of(page, problems)
        if only == "--list":
            print(page.name if blocks else "", end="\n" if blocks else "")
        elif only in (None, page.name) and blocks:
            failure = run(page, blocks)
            problems += [failure] if failure else []
            count += len(blocks)
    for problem in problems:
        print(problem, file=sys.stderr)
    if only is None and count < 15:
        problems.append(f"only {count} blocks were found")
    sys.exit(1 if problems else 0)


main()
