// The line protocol between a consumer process and ./dev bench peers; described in bench/engine/consume.hpp.
import process from "node:process";
import readline from "node:readline";

const [, , mode, batch, connections, count] = process.argv;
export const task = { mode, batch: Number(batch), connections: Number(connections), count: Number(count) };

const lines = readline.createInterface({ input: process.stdin });
const ended = new Promise((resolve) => lines.once("close", resolve));

export const say = (line) => process.stdout.write(`${line}\n`);

// Prints "ready"; resolves at "go". Ends this process when its parent has ended.
export async function ready() {
    const go = new Promise((resolve) => lines.once("line", resolve));
    say("ready");
    await go;
    ended.then(() => process.exit(0));
}

// Nanoseconds of the clock that steady_clock reads in the other process.
export const now = () => process.hrtime.bigint();

// Says when the last of the messages that became due was handled.
export const sayHandled = () => say(`done ${((performance.timeOrigin + performance.now()) / 1000).toFixed(6)}`);

// Counts handled messages and reports them as the mode requires.
export class Tally {
    handled = 0;
    arrived = [];
    failed = new Set();
    constructor() {
        this.complete = new Promise((resolve) => (this.resolve = resolve));
    }
    note(payload) {
        if (task.mode === "arrivals") {
            this.arrived.push(`arrived ${payload.order_id} ${now()}`);
        }
        this.handled += 1;
        if (this.handled === task.count) {
            this.resolve();
        }
    }
    // Whether a message has to fail in this run: once each, in the mode failing.
    fails(payload) {
        if (task.mode !== "failing" || this.failed.has(payload.order_id)) {
            return false;
        }
        this.failed.add(payload.order_id);
        return true;
    }
    stream() {
        setInterval(() => say(`consumed ${this.handled}`), 100);
    }
    reportArrivals() {
        say([...this.arrived, "done"].join("\n"));
    }
}

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
