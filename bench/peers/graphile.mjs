// graphile-worker as its users run it. batch: size of the local queue; connections: concurrent jobs.
import { Logger, run, runMigrations } from "graphile-worker";
import pg from "pg";
import { now, ready, say, sayHandled, Tally, task } from "./protocol.mjs";

const logger = new Logger(() => (level, message) => {
    if (level === "error") {
        console.error(message);
    }
});
const batched =
    task.batch > 1 ? { localQueue: { size: task.batch }, completeJobBatchDelay: 0, failJobBatchDelay: 0 } : {};
// It looks for jobs that became due at this interval, by default every two seconds.
const polling = task.mode === "due" ? { pollInterval: 20 } : {};
const pgPool = new pg.Pool({ max: task.connections + 1 });
pgPool.on("error", () => {});
pgPool.on("connect", (client) => client.on("error", () => {}));
const tally = new Tally();

const start = () =>
    run({
        pgPool,
        logger,
        noHandleSignals: true,
        taskList: { bench: (payload) => tally.note(payload) },
        parsedCronItems: [],
        preset: { worker: { concurrentJobs: task.connections, ...batched, ...polling } },
    });

async function drain() {
    await ready();
    const began = now();
    const runner = await start();
    await tally.complete;
    await runner.stop();
    say(`done ${Number(now() - began) / 1e9}`);
}

async function due() {
    await start();
    await ready();
    await tally.complete;
    sayHandled();
}

async function arrivals() {
    await start();
    await ready();
    await tally.complete;
    tally.reportArrivals();
}

async function stream() {
    await ready();
    tally.stream();
    await start();
}

if (task.mode === "install") {
    await runMigrations({ pgPool, logger });
    await pgPool.end();
} else {
    await { drain, priority: drain, due, arrivals, stream }[task.mode]();
}
