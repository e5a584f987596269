// JSON as text. A payload is never parsed and written again: 12345678901234567890 and 1.0 must stay what they are.

const token = /\s*("(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+)/gys;

function* tokens(text) {
    token.lastIndex = 0;
    for (let match = token.exec(text); match; match = token.exec(text)) {
        yield { text: match[1], end: token.lastIndex };
    }
}

/** The members of an object, each with its own text: {"a": [1.0]} → Map {a → '[1.0]'}. */
export function members(text) {
    const found = new Map();
    let depth = 0;
    let name = null;
    let from = -1;
    let previous = null;
    for (const { text: part, end } of tokens(text)) {
        const closes = part === '}' || part === ']';
        if (depth === 1 && name !== null && from >= 0 && (part === ',' || part === '}')) {
            found.set(name, text.slice(from, end - 1).trim());
            name = null;
            from = -1;
        } else if (depth === 1 && part === ':' && from < 0) {
            name = JSON.parse(previous);
            from = end;
        }
        depth += part === '{' || part === '[' ? 1 : closes ? -1 : 0;
        previous = part;
    }
    return found;
}

/** Indented, one member or element per line, values as they were written. */
export function pretty(text) {
    let out = '';
    let depth = 0;
    let previous = '';
    const line = () => `\n${'    '.repeat(depth)}`;
    for (const { text: part } of tokens(text)) {
        if (part === '}' || part === ']') {
            depth -= 1;
            out += previous === '{' || previous === '[' ? part : line() + part;
        } else {
            out += previous === '{' || previous === '[' || previous === ',' ? line() : '';
            out += part === ':' ? ': ' : part;
            depth += part === '{' || part === '[' ? 1 : 0;
        }
        previous = part;
    }
    return out;
}

/** The JSON syntax error of a text, or an empty string. */
export function fault(text) {
    try {
        JSON.parse(text);
        return '';
    } catch (error) {
        const at = /position (\d+)/.exec(error.message);
        const line = at ? text.slice(0, Number(at[1])).split('\n').length : 0;
        const detail = error.message.replace(/^JSON\.parse: /, '').replace(/ in JSON at position.*$/, '');
        return line ? `line ${line}: ${detail}` : detail;
    }
}

/** Difference line by line: [' ' | '-' | '+', line]. Long texts are compared from both ends only. */
export function difference(before, after) {
    const a = before.split('\n');
    const b = after.split('\n');
    let head = 0;
    while (head < a.length && head < b.length && a[head] === b[head]) {
        head += 1;
    }
    let tail = 0;
    while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) {
        tail += 1;
    }
    const middle = between(a.slice(head, a.length - tail), b.slice(head, b.length - tail));
    return [
        ...a.slice(Math.max(0, head - 3), head).map((line) => [' ', line]),
        ...middle,
        ...a.slice(a.length - tail, a.length - tail + 3).map((line) => [' ', line]),
    ];
}

function between(a, b) {
    if (a.length * b.length > 250000) {
        return [...a.map((line) => ['-', line]), ...b.map((line) => ['+', line])];
    }
    // common[i][j]: the longest common subsequence of the rest of either side.
    const common = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
    for (let i = a.length - 1; i >= 0; i -= 1) {
        for (let j = b.length - 1; j >= 0; j -= 1) {
            common[i][j] = a[i] === b[j] ? common[i + 1][j + 1] + 1 : Math.max(common[i + 1][j], common[i][j + 1]);
        }
    }
    const out = [];
    let i = 0;
    let j = 0;
    while (i < a.length || j < b.length) {
        if (i < a.length && j < b.length && a[i] === b[j]) {
            out.push([' ', a[i]]);
            i += 1;
            j += 1;
        } else if (i < a.length && (j === b.length || common[i + 1][j] >= common[i][j + 1])) {
            out.push(['-', a[i]]);
            i += 1;
        } else {
            out.push(['+', b[j]]);
            j += 1;
        }
    }
    return out;
}
