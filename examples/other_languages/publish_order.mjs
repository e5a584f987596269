// An order and its event in one transaction, with pg. The database comes from the PG* variables.
import pg from "pg";
import { publish } from "postrider";

const client = new pg.Client();
await client.connect();
await client.query("create table if not exists orders (number text primary key, total int)");
await client.query("create table if not exists ledger (order_number text, total int)");

const order = { number: "A-42", total: 4200 };
await client.query("begin");
await client.query("insert into orders values ($1, $2)", [order.number, order.total]);
await publish(client, {
    event_type: "order.placed",
    payload: order,
    source: "shop",
    idempotency_key: `order ${order.number}`,
});
await client.query("commit"); // both, or neither

await client.query("begin");
await publish(client, { event_type: "order.placed", payload: { number: "A-43", total: 1 }, source: "shop" });
await client.query("rollback"); // that event never happened
await client.end();
