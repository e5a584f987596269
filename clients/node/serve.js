// The handler loop: a child of `postrider work --stay`.
import console from "node:console";
import fs from "node:fs";
import process from "node:process";
import { failure, Transient } from "./outcome.js";
import { cleanFraction, cleanText, outcomeLines, resultJson } from "./values.js";

const protocol = 1;
const progressBytesMax = 1000;
const knownMax = 10_000; // event types: a producer may put ids into them

/** The run of one message. */
class Run {
    #worker;
    #number;
    #abort;
    #result;
    constructor(worker, number) {
        this.#worker = worker;
        this.#number = number;
    }
    get consumer() {
        return this.#worker.hello.consumer;
    }
    get handler() {
        return this.#worker.hello.handler;
    }
    /** Aborted when the outcome does not count any more. */
    get signal() {
        this.#abort ??= new AbortController();
        return this.#abort.signal;
    }
    cancel() {
        this.#abort ??= new AbortController();
        this.#abort.abort();
    }
    /** The timeout of this run begins again. */
    extend() {
        this.#worker.write({ type: "extend", run: this.#number });
    }
    /**
     * Records how far the job is: a fraction from 0 to 1, and a text, which is cut at 1000 bytes. Throws a RangeError or a
     * TypeError for a fraction that is not a number.
     */
    progress(fraction, text) {
        const line = { type: "progress", run: this.#number, fraction: cleanFraction(fraction) };
        this.#worker.write({ ...line, text: text == null ? undefined : cleanText(text, progressBytesMax) });
    }
    /**
     * Records the result of the job with its outcome: any JSON of up to 16384 bytes and 500 levels. Throws a RangeError or
     * a TypeError for any other value. Zero bytes are removed from texts, unpaired surrogates replaced.
     */
    result(value) {
        this.#result = resultJson(value);
    }
    /** The outcome of a successful run, as JSON. */
    delivered() {
        const result = this.#result === undefined ? "" : `,"result":${this.#result}`;
        return `{"run":${this.#number},"outcome":"delivered"${result}}`;
    }
    /**
     * Enters the effect into the inbox, in the transaction that makes it. False: a committed transaction has made it,
     * so the handler skips it.
     */
    async handleOnce(client, message) {
        const { rows } = await client.query(
            "select postrider.handle_once(row($1, $2, $3, $4)::postrider.inbox_key) as first",
            [this.consumer, this.handler, message.source, message.idempotency_key],
        );
        return rows[0].first;
    }
}

/** The other side: lines from stdin, lines to stdout. */
class Worker {
    hello = null;
    #handlers;
    #concurrency;
    #find = new Map();
    #waiting = [];
    #next = 0;
    #running = new Map();
    #outcomes = [];
    #flushing = false;
    #stopping = false;

    constructor(handlers, concurrency) {
        this.#handlers = handlers;
        this.#concurrency = concurrency;
    }

    take(line) {
        switch (line.type) {
            case "messages":
                this.#waiting = this.#waiting.slice(this.#next).concat(line.messages);
                this.#next = 0;
                this.#begin();
                break;
            case "cancel":
                this.#running.get(line.run)?.cancel();
                break;
            case "stop":
                this.#stopping = true;
                this.#begin();
                break;
            case "hello":
                if (line.protocol !== protocol) {
                    throw new Error(`the worker speaks protocol ${line.protocol}, this child speaks ${protocol}`);
                }
                this.hello = line;
                this.#concurrency = Math.min(this.#concurrency, line.in_flight_max);
                this.write({ type: "hello", protocol, concurrency: this.#concurrency });
        }
    }

    #begin() {
        while (this.#next < this.#waiting.length) {
            if (this.#stopping) {
                this.#outcomes.push(`{"run":${this.#waiting[this.#next++].run},"outcome":"interrupted"}`);
                continue;
            }
            if (this.#running.size >= this.#concurrency) {
                break;
            }
            // A crash is charged to the first messages without an outcome, so outcomes are written first.
            if (this.#running.size + this.#outcomes.length >= this.#concurrency) {
                this.flush();
            }
            this.#handle(this.#waiting[this.#next++]);
        }
        if (this.#outcomes.length > 0 && !this.#flushing) {
            this.#flushing = true;
            setImmediate(() => this.flush());
        }
    }

    #handle(message) {
        const number = message.run; // a handler may change its message
        const run = new Run(this, number);
        let result;
        try {
            result = this.#handlerOf(message.event_type)(message, run);
        } catch (problem) {
            this.#outcomes.push(JSON.stringify(failure(number, problem)));
            return;
        }
        if (typeof result?.then !== "function") {
            this.#outcomes.push(run.delivered());
            return;
        }
        this.#running.set(number, run);
        result.then(
            () => this.#end(number, run.delivered()),
            (problem) => this.#end(number, JSON.stringify(failure(number, problem))),
        );
    }

    #end(number, outcome) {
        this.#running.delete(number);
        this.#outcomes.push(outcome);
        this.#begin();
    }

    // Of the exact event type, else of the longest prefix (user.*), else of *.
    #handlerOf(eventType) {
        let found = this.#find.get(eventType);
        if (found === undefined) {
            const fits = (pattern) => pattern.endsWith("*") && eventType.startsWith(pattern.slice(0, -1));
            const patterns = Object.keys(this.#handlers).filter(fits).sort((a, b) => b.length - a.length);
            found = Object.hasOwn(this.#handlers, eventType) ? this.#handlers[eventType] : this.#handlers[patterns[0]];
            if (found === undefined) {
                throw new Transient(`no handler for ${eventType}`, { errorClass: "no_handler" });
            }
            if (this.#find.size >= knownMax) {
                this.#find.clear();
            }
            this.#find.set(eventType, found);
        }
        return found;
    }

    flush() {
        this.#flushing = false;
        const outcomes = this.#outcomes;
        this.#outcomes = [];
        for (const line of outcomeLines(outcomes)) {
            this.#writeLine(line);
        }
    }

    write(line) {
        this.#writeLine(JSON.stringify(line));
    }

    #writeLine(line) {
        let data = Buffer.from(`${line}\n`);
        while (data.length > 0) {
            try {
                data = data.subarray(fs.writeSync(1, data));
            } catch (problem) {
                if (problem.code !== "EAGAIN") {
                    throw problem;
                }
            }
        }
    }
}

// Printed output goes to the log, because stdout belongs to the protocol.
function keepStdout() {
    Object.defineProperty(process, "stdout", { configurable: true, get: () => process.stderr });
    globalThis.console = new console.Console(process.stderr, process.stderr);
}

/**
 * Handles messages until the worker ends, up to `concurrency` at once. Keys are event types: exact, a prefix (user.*)
 * or *. A handler that returns delivers; one that throws fails: Terminal, Transient and Snooze decide how, every other
 * error is retried. Resolves at the end of the input.
 */
export async function serve(handlers, { concurrency = 16 } = {}) {
    keepStdout();
    const worker = new Worker(handlers, concurrency);
    let rest = []; // of a line that has not ended: it may have many megabytes
    process.stdin.setEncoding("utf8");
    for await (const chunk of process.stdin) {
        const lines = chunk.split("\n");
        if (lines.length > 1) {
            lines[0] = rest.join("") + lines[0];
            rest = [];
        }
        rest.push(lines.pop());
        for (const line of lines) {
            worker.take(JSON.parse(line));
        }
    }
    worker.flush();
}
