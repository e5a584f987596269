// All HTTP requests of the page. A token is exchanged for a session at once: an HttpOnly cookie, and a key for it that only this origin
// can read. All tabs of the browser share the session.
import { reach } from './reach.js';

const base = '/api/v1/';
const place = 'postrider.session';
// Requests that were started before this script was loaded.
const { early } = globalThis;
/** Dispatches `change` when the session begins or ends, also in another tab. */
export const session = new EventTarget();

/** An error response of the server. */
export class Problem extends Error {
    constructor(status, body = {}) {
        super(body.detail || body.title || `the server answered ${status}`);
        this.status = status;
        this.code = body.code ?? '';
        this.title = body.title ?? '';
        this.hint = body.hint ?? '';
    }
}

/** Takes the token out of the fragment of a link and leaves the rest: '#/dead-letters/17&token=…' → '#/dead-letters/17'. */
export function takeToken() {
    const match = /^(#|.*[?&])token=([^&]*)/.exec(location.hash);
    if (!match) {
        return '';
    }
    const before = match[1].slice(0, -1);
    const after = location.hash.slice(match[0].length + 1);
    const rest = after ? `${before}${match[1].at(-1)}${after}` : before;
    history.replaceState(null, '', `${location.pathname}${rest.startsWith('#/') ? rest : '#/'}`);
    try {
        return decodeURIComponent(match[2]);
    } catch {
        return match[2];
    }
}

function changed(key, me) {
    // Answers to the session before are not for the next one.
    early.answers.clear();
    localStorage.removeItem('postrider.whole');
    if (key) {
        localStorage.setItem(place, key);
        early.begin(key, me);
    } else {
        localStorage.removeItem(place);
    }
    session.dispatchEvent(new Event('change'));
}

export async function signIn(token) {
    const made = await send('session', { method: 'POST', body: '{}', headers: { authorization: `Bearer ${token}`, ...changing } });
    changed(made.key, made.me);
}

/** Whether this browser has a session that the server accepts. */
export async function hasSession() {
    return localStorage.getItem(place) !== null && get('me').then(() => true, () => false);
}

export async function signOut() {
    try {
        await post('session/end');
    } finally {
        changed('');
    }
}

addEventListener('storage', ({ key }) => {
    if (key === place) {
        early.answers.clear();
        session.dispatchEvent(new Event('change'));
    }
});

const changing = { 'content-type': 'application/json', 'x-postrider': '1', accept: 'application/json' };

export function headers(more = {}) {
    const key = localStorage.getItem(place);
    return key ? { 'x-postrider-session': key, ...more } : more;
}

export function path(...parts) {
    return parts.map((part) => encodeURIComponent(part)).join('/');
}

async function problemOf(response) {
    let body = {};
    try {
        body = await response.json();
    } catch {
        // Something between here and the server answered; the status has to do.
    }
    if (response.status === 429) {
        body.hint ??= `Try again in ${response.headers.get('retry-after') ?? 'a few'} s.`;
    }
    return new Problem(response.status, body);
}

function takeEarly(where, { method = 'GET' }) {
    const answer = method === 'GET' ? early.answers.get(where) : undefined;
    early.answers.delete(where);
    return answer;
}

/** Called when the first view has its data: later requests are sent to the server. */
export function endEarly() {
    early.answers.clear();
}

async function send(where, options, as = 'json') {
    let response;
    try {
        response = await (takeEarly(where, options) ?? fetch(base + where, { cache: 'no-cache', credentials: 'same-origin', ...options }));
    } catch (error) {
        if (error.name === 'AbortError') {
            throw error;
        }
        reach.doubt();
        throw new Problem(0, { title: 'No answer', detail: 'the server does not answer',
            hint: 'Is postrider serve running, and is this machine on its network?' });
    }
    if (!response.ok) {
        if (response.status >= 502) {
            reach.doubt();
        }
        throw await problemOf(response);
    }
    reach.seen = new Date();
    return response.status === 204 ? null : response[as]();
}

/** as: 'json', or 'text' for documents that must not be parsed. */
export function get(where, parameters = {}, signal, as = 'json') {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(parameters)) {
        if (value !== undefined && value !== null && value !== '') {
            query.set(name, value);
        }
    }
    const text = query.toString();
    return send(text ? `${where}?${text}` : where, { headers: headers({ accept: as === 'blob' ? '*/*' : 'application/json' }), signal }, as);
}

/** Saves the answer of a request as a file. */
export async function download(where, parameters, name) {
    const address = URL.createObjectURL(await get(where, parameters, undefined, 'blob'));
    const anchor = Object.assign(document.createElement('a'), { href: address, download: name });
    anchor.click();
    URL.revokeObjectURL(address);
}

/** body: a value, or JSON text. */
export function post(where, body = {}) {
    return send(where, {
        method: 'POST',
        headers: headers(changing),
        body: typeof body === 'string' ? body : JSON.stringify(body),
    });
}
