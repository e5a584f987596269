// Values of handlers, in a form that the worker accepts. A line that it refuses ends the child, and with it other runs.

const delayMax = 1_000_000_000_000; // milliseconds
const resultBytesMax = 16384;
const resultDepthMax = 500; // the worker reads lines of up to 512 levels
const lineBytes = 1 << 19; // a line ends with the outcome that reaches it; the worker takes twice as much

/** A text of up to `bytesMax` bytes. PostgreSQL stores neither zero bytes nor unpaired surrogates. */
export function cleanText(value, bytesMax) {
    let plain;
    try {
        plain = String(value);
    } catch {
        plain = "a value without a text"; // {"toString": 1}, for example
    }
    // Encoding replaces unpaired surrogates.
    const bytes = Buffer.from(plain.slice(0, 2 * bytesMax).replaceAll("\0", ""));
    let end = Math.min(bytes.length, bytesMax);
    while (end < bytes.length && (bytes[end] & 0xc0) === 0x80) {
        --end; // not inside a character
    }
    return bytes.toString("utf8", 0, end);
}

export function cleanMilliseconds(delay) {
    let number = 0;
    try {
        number = Math.trunc(Number(delay)) || 0;
    } catch {
        // an object or a symbol
    }
    return Math.min(Math.max(number, 0), delayMax);
}

export function cleanFraction(fraction) {
    const number = Math.min(Math.max(fraction, 0), 1);
    if (Number.isNaN(number)) {
        throw new RangeError(`the fraction of a progress must be a number from 0 to 1, got ${cleanText(fraction, 100)}`);
    }
    return number;
}

function depthOf(document) {
    let depth = 0;
    let deepest = 0;
    for (const letter of document.replace(/"(?:[^"\\]|\\.)*"/g, "")) {
        if (letter === "[" || letter === "{") {
            deepest = Math.max(deepest, ++depth);
        } else if (letter === "]" || letter === "}") {
            --depth;
        }
    }
    return deepest;
}

/** JSON of a result. Throws a TypeError or a RangeError for a value that cannot be one. */
export function resultJson(value) {
    const tooDeep = `a result must be nested at most ${resultDepthMax} levels deep`;
    let written;
    try {
        written = JSON.stringify(value);
    } catch (problem) {
        throw problem instanceof RangeError ? new RangeError(tooDeep, { cause: problem }) : problem; // no stack is left
    }
    if (written === undefined) {
        throw new TypeError(`a result must be a JSON value, got ${typeof value}`);
    }
    // JSON.stringify() escapes unpaired surrogates.
    const document = written.replace(/\\(u0000|ud[89a-f][0-9a-f]{2}|.)/g, (all, escape) =>
        escape === "u0000" ? "" : escape.length > 1 ? "\ufffd" : all,
    );
    if (Buffer.byteLength(document) > resultBytesMax) {
        throw new RangeError(`a result must have at most ${resultBytesMax} bytes; store it elsewhere and record a reference`);
    }
    if (depthOf(document) > resultDepthMax) {
        throw new RangeError(tooDeep);
    }
    return document;
}

/** Lines with these outcomes, each a JSON object. Results and errors of many messages do not fit into one. */
export function outcomeLines(outcomes) {
    const lines = [];
    let some = [];
    let size = 0;
    const end = () => {
        lines.push(`{"type":"outcomes","outcomes":[${some.join(",")}]}`);
        some = [];
        size = 0;
    };
    for (const one of outcomes) {
        some.push(one);
        size += Buffer.byteLength(one);
        if (size >= lineBytes) {
            end();
        }
    }
    if (some.length > 0) {
        end();
    }
    return lines;
}
