// The one place that speaks HTTP. The token comes with the link, lives as long as the tab, and is never in the URL again.

const base = '/api/v1/';
/** Says `change` when another token is used. */
export const tokens = new EventTarget();
let token = sessionStorage.getItem('postrider.token') ?? '';

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

/** Takes the token out of the fragment of a link; true when there was one. */
export function takeToken() {
    const match = /^#(?:.*&)?token=([^&]+)/.exec(location.hash);
    if (!match) {
        return false;
    }
    useToken(decodeURIComponent(match[1]));
    history.replaceState(null, '', `${location.pathname}#/`);
    return true;
}

export function useToken(value) {
    token = value;
    sessionStorage.setItem('postrider.token', value);
    tokens.dispatchEvent(new Event('change'));
}

export function headers(more = {}) {
    return token ? { authorization: `Bearer ${token}`, ...more } : more;
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

async function send(where, options, as = 'json') {
    let response;
    try {
        response = await fetch(base + where, { cache: 'no-cache', credentials: 'omit', ...options });
    } catch (error) {
        if (error.name === 'AbortError') {
            throw error;
        }
        throw new Problem(0, { title: 'No answer', detail: 'the server does not answer',
            hint: 'Is postrider serve running, and is this machine on its network?' });
    }
    if (!response.ok) {
        throw await problemOf(response);
    }
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
    return send(text ? `${where}?${text}` : where, { headers: headers({ accept: 'application/json' }), signal }, as);
}

/** body: a value, or JSON text. */
export function post(where, body = {}) {
    return send(where, {
        method: 'POST',
        headers: headers({ 'content-type': 'application/json', 'x-postrider': '1', accept: 'application/json' }),
        body: typeof body === 'string' ? body : JSON.stringify(body),
    });
}
