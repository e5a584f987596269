// Books each order exactly once.
//
//   postrider work --consumer billing --on 'order.*' --pass-database --stay 'node handle_orders.mjs'
import pg from "pg";
import { serve, Terminal } from "postrider";

const pool = new pg.Pool({ max: 4 });

async function book(message, run) {
    const { number, total } = message.payload;
    if (total <= 0) {
        throw new Terminal(`order ${number} has no total`, { errorClass: "wrong_total" });
    }
    const client = await pool.connect();
    try {
        await client.query("begin");
        // False: booked by an earlier run.
        if (await run.handleOnce(client, message)) {
            await client.query("insert into ledger values ($1, $2)", [number, total]);
        }
        await client.query("commit");
    } catch (problem) {
        await client.query("rollback");
        throw problem;
    } finally {
        client.release();
    }
}

await serve({ "order.placed": book }, { concurrency: 4 });
await pool.end();
