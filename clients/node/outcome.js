// How a run ends. A handler that returns delivers; one that throws fails.
import { cleanMilliseconds, cleanText } from "./values.js";

/** Retry by the retry policy, or after `delay` milliseconds. */
export class Transient extends Error {
    constructor(error, { errorClass = "transient", delay } = {}) {
        super(error);
        this.errorClass = errorClass;
        this.delay = delay;
    }
}

/** Do not retry: the message becomes a dead letter at once. */
export class Terminal extends Error {
    constructor(error, { errorClass = "terminal" } = {}) {
        super(error);
        this.errorClass = errorClass;
    }
}

/** Run again after `delay` milliseconds. Uses no attempt. */
export class Snooze extends Error {
    constructor(delay) {
        super(`snooze for ${delay} ms`);
        this.delay = delay;
    }
}

const errorBytesMax = 8192;
const text = (value) => cleanText(value, errorBytesMax);

function errorClass(problem) {
    if (problem instanceof Transient || problem instanceof Terminal) {
        return problem.errorClass;
    }
    // Of pg; wrong data is terminal.
    if (problem?.severity !== undefined && typeof problem.code === "string" && /^[0-9A-Z]{5}$/.test(problem.code)) {
        return `sqlstate:${problem.code}`;
    }
    return problem?.code ?? problem?.name ?? typeof problem;
}

// Properties of an error may be getters that throw.
function description(problem) {
    try {
        return { error: text(problem?.message ?? problem), error_class: text(errorClass(problem)) };
    } catch {
        return { error: "an error without a readable message", error_class: "Error" };
    }
}

/** The outcome of a run that threw. */
export function failure(run, problem) {
    if (problem instanceof Snooze) {
        return { run, outcome: "snooze", delay_ms: cleanMilliseconds(problem.delay) };
    }
    const outcome = problem instanceof Terminal ? "terminal" : "transient";
    const how = { run, outcome, ...description(problem) };
    if (problem instanceof Transient && problem.delay !== undefined) {
        how.delay_ms = cleanMilliseconds(problem.delay);
    }
    return how;
}
