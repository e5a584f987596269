"""An order and its event in one transaction, with psycopg 3. The database comes from the PG* variables."""
import psycopg

from postrider import publish

with psycopg.connect() as connection:
    connection.execute("create table if not exists orders (number text primary key, total int)")
    connection.execute("create table if not exists ledger (order_number text, total int)")

with psycopg.connect() as connection:
    connection.execute("insert into orders values (%s, %s)", ("A-42", 4200))
    publish(connection, "order.placed", {"number": "A-42", "total": 4200}, source="shop", idempotency_key="order A-42")
    # The end of the block commits both, or neither.

try:
    with psycopg.connect() as connection:
        publish(connection, "order.placed", {"number": "A-43", "total": 1}, source="shop")
        raise RuntimeError("out of stock")
except RuntimeError:
    pass  # rolled back: that event never happened
