// Values that a filter can have, offered while it is typed: consumers, channels, handlers and event types that exist.
import { get } from '../core/api.js';
import { h, replace } from '../core/dom.js';

const kept = 60000;
let found = null;
let until = 0;

/** name → its values. */
export async function values() {
    if (!found || Date.now() > until) {
        until = Date.now() + kept;
        found = load().catch(() => {
            until = 0;
            return {};
        });
    }
    return found;
}

async function load() {
    const [handlers, groups] = await Promise.all([get('handlers', { limit: 500 }), get('dead-letter-groups', { limit: 200 })]);
    const of = (rows, name) => rows.flatMap((row) => row[name] ?? []);
    const sorted = (...lists) => [...new Set(lists.flat())].filter((value) => value && value !== '*').sort();
    return {
        consumer: sorted(of(handlers.rows, 'consumer')),
        channel: sorted(of(handlers.rows, 'channel')),
        handler: sorted(of(handlers.rows, 'handler')),
        event_type: sorted(of(handlers.rows, 'event_types'), of(groups.rows, 'event_type')),
        error_class: sorted(of(groups.rows, 'error_class')),
        fingerprint: sorted(of(groups.rows, 'fingerprint')),
    };
}

export const suggested = ['consumer', 'channel', 'handler', 'event_type', 'error_class', 'fingerprint'];

/** A list for an input of this name; filled when the input gets the focus. */
export function suggestions(name, input) {
    const list = h('datalist', { id: `values-${name}` });
    input.setAttribute('list', list.id);
    input.addEventListener('focus', async () => {
        replace(list, ((await values())[name] ?? []).map((value) => h('option', { value })));
    });
    return list;
}
