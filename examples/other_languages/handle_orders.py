"""Books each order exactly once.

    postrider work --consumer billing --on 'order.*' --pass-database --stay 'python3 handle_orders.py'
"""
from typing import TypedDict

import psycopg

from postrider import Message, Terminal, serve


class Order(TypedDict):
    number: str
    total: int


connection = psycopg.connect(autocommit=True)


def book(message: Message[Order]) -> None:
    order = message.payload
    if order["total"] <= 0:
        raise Terminal(f"order {order['number']} has no total", "wrong_total")
    with connection.transaction():
        if message.handle_once(connection):  # false: booked by an earlier run
            connection.execute("insert into ledger values (%s, %s)", (order["number"], order["total"]))


serve({"order.placed": book})
