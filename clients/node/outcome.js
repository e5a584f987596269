// How a run ends. A handler that returns delivers; one that throws fails.

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

const textMax = 8000;

// PostgreSQL stores neither zero bytes nor unpaired surrogates.
const text = (value) => {
    const plain = String(value).replaceAll("\0", "").slice(0, textMax);
    return plain.toWellFormed ? plain.toWellFormed() : plain.replace(/[\ud800-\udfff]/g, "?");
};
const milliseconds = (delay) => Math.max(0, Math.trunc(Number(delay)) || 0);

function errorClass(problem) {
    if (problem instanceof Transient || problem instanceof Terminal) {
        return problem.errorClass;
    }
    // Of pg; wrong data is terminal.
    if (problem?.severity !== undefined && /^[0-9A-Z]{5}$/.test(problem?.code ?? "")) {
        return `sqlstate:${problem.code}`;
    }
    return problem?.code ?? problem?.name ?? typeof problem;
}

/** The outcome of a run that threw. */
export function failure(run, problem) {
    if (problem instanceof Snooze) {
        return { run, outcome: "snooze", delay_ms: milliseconds(problem.delay) };
    }
    const outcome = problem instanceof Terminal ? "terminal" : "transient";
    const how = { run, outcome, error: text(problem?.message ?? problem), error_class: text(errorClass(problem)) };
    if (problem instanceof Transient && problem.delay !== undefined) {
        how.delay_ms = milliseconds(problem.delay);
    }
    return how;
}
