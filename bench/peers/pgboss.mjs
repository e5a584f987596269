// pg-boss as its users run it: fetch() and complete() of many at once to work off a backlog, work()
// with LISTEN and NOTIFY where waiting counts. connections: loops that run at once.
import { PgBoss } from "pg-boss";
import process from "node:process";
import { now, pause, ready, say, sayHandled, Tally, task } from "./protocol.mjs";

const queue = "bench";
const woken = task.mode === "arrivals";
const boss = new PgBoss({
    host: process.env.PGHOST,
    port: Number(process.env.PGPORT ?? 5432),
    database: process.env.PGDATABASE,
    user: process.env.PGUSER,
    password: process.env.PGPASSWORD,
    options: process.env.PGOPTIONS,
    max: task.connections + 2,
    supervise: false,
    schedule: false,
    useListenNotify: woken,
});
boss.on("error", (error) => console.error(error.message));
const tally = new Tally();

async function report(how, ids) {
    if (ids.length > 0) {
        await boss[how](queue, ids);
    }
}

// One loop: the result of again() on an empty queue decides whether it goes on.
async function work(again) {
    for (;;) {
        const jobs = await boss.fetch(queue, { batchSize: task.batch });
        if (jobs.length > 0) {
            const failed = [];
            const handled = [];
            for (const job of jobs) {
                if (tally.fails(job.data)) {
                    failed.push(job.id);
                } else {
                    tally.note(job.data);
                    handled.push(job.id);
                }
            }
            await report("fail", failed);
            await report("complete", handled);
        } else if (!(await again())) {
            return;
        }
    }
}

const loops = (again) => Promise.all(Array.from({ length: task.connections }, () => work(again)));

async function drain() {
    await boss.start();
    await ready();
    const began = now();
    await loops(() => false);
    if (tally.handled !== task.count) {
        throw new Error(`pg-boss drained ${tally.handled} jobs instead of ${task.count}`);
    }
    say(`done ${Number(now() - began) / 1e9}`);
}

async function due() {
    await boss.start();
    await ready();
    const running = loops(async () => {
        await pause(2);
        return tally.handled < task.count;
    });
    await tally.complete;
    sayHandled();
    await running;
}

async function arrivals() {
    await boss.start();
    await boss.work(queue, { batchSize: task.batch, localConcurrency: task.connections }, async (jobs) => {
        for (const job of jobs) {
            tally.note(job.data);
        }
    });
    await ready();
    await tally.complete;
    tally.reportArrivals();
}

async function stream() {
    await boss.start();
    await ready();
    tally.stream();
    await loops(async () => {
        await pause(2);
        return true;
    });
}

if (task.mode === "install") {
    await boss.start();
    await boss.createQueue(queue);
    await boss.stop({ graceful: false });
    process.exit(0);
} else {
    await { drain, priority: drain, failing: drain, due, arrivals, stream }[task.mode]();
}
