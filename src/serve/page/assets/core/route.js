// The URL holds the state of the view: #/dead-letters/list?handler=billing.x&at=17. A link can be sent to a colleague.

export function here() {
    const [where, query = ''] = location.hash.replace(/^#/, '').split('?');
    const parts = where.split('/').filter(Boolean).map((part) => {
        try {
            return decodeURIComponent(part);
        } catch {
            return part;
        }
    });
    return { parts, query: Object.fromEntries(new URLSearchParams(query)) };
}

/** link(['dead-letters', 17], {tab: 'x'}) → '#/dead-letters/17?tab=x'; empty values are left out. */
export function link(parts, query = {}) {
    const pairs = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '');
    const text = new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])).toString();
    return `#/${parts.map((part) => encodeURIComponent(part)).join('/')}${text ? `?${text}` : ''}`;
}

export function go(parts, query) {
    location.hash = link(parts, query);
}

/** Sets a parameter in the URL without adding a history entry and without reloading the view. */
export function note(changes) {
    const { parts, query } = here();
    history.replaceState(history.state, '', link(parts, { ...query, ...changes }));
    document.getElementById('main').dataset.address = location.hash;
}
