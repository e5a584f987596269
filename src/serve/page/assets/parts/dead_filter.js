// The filter of dead letters: the same names in the URL, in forms and in requests.
import { live } from '../core/live.js';

export const keys = ['consumer', 'channel', 'handler', 'event_type', 'source', 'workspace_id', 'fingerprint', 'error_class', 'error',
    'dead_after', 'dead_before', 'published_after', 'published_before', 'ids', 'deliveries', 'replay'];

const lists = ['ids', 'deliveries'];
const units = { s: 1, m: 60, h: 3600, d: 86400 };

/** '2h' → the instant two hours ago by the database's clock; anything else as it is. */
function instant(text) {
    const match = /^(\d+)\s*([smhd])$/.exec(text);
    if (!match) {
        return text;
    }
    const now = live.latest ? Date.parse(live.latest.at) : Date.now();
    return new Date(now - Number(match[1]) * units[match[2]] * 1000).toISOString();
}

/** The part of a query of the URL that is a filter. */
export function filterQuery(query) {
    return Object.fromEntries(keys.filter((key) => query[key]).map((key) => [key, query[key]]));
}

/** The same as the object that changes and previews take. */
export function filterObject(query) {
    return Object.fromEntries(Object.entries(filterQuery(query)).map(([key, value]) => [key,
        lists.includes(key) ? value.split(',').map((part) => part.trim()).filter(Boolean)
            : /_(after|before)$/.test(key) ? instant(value) : value]));
}

/** From the object of a replay back to the query of a list. */
export function filterFromObject(filter) {
    return Object.fromEntries(Object.entries(filter ?? {}).map(([key, value]) => [key, Array.isArray(value) ? value.join(',') : value]));
}

const words = { event_type: 'type', workspace_id: 'workspace', error_class: 'class', dead_after: 'died after',
    dead_before: 'died before', published_after: 'published after', published_before: 'published before',
    ids: 'messages', error: 'error contains', replay: 'died again in replay' };

/** 'handler billing.x, class timeout' for people. */
export function describe(query) {
    const parts = Object.entries(filterQuery(query)).map(([key, value]) => `${words[key] ?? key} ${value}`);
    return parts.length > 0 ? parts.join(', ') : 'all dead letters';
}

/** The filter, fixed at the instant of a preview: it excludes later dead letters. */
export function fixedAt(filter, { at }) {
    return { ...filter, dead_before: filter.dead_before && Date.parse(filter.dead_before) < Date.parse(at) ? filter.dead_before : at };
}

export function fields({ me }) {
    return [
        me.may.includes('reveal') && { name: 'error', title: 'Error contains' },
        { name: 'error_class', title: 'Class' }, { name: 'handler', title: 'Handler' },
        { name: 'event_type', title: 'Type' }, { name: 'consumer', title: 'Consumer' },
        { name: 'channel', title: 'Channel', more: true }, { name: 'source', title: 'Source', more: true },
        !me.workspace && { name: 'workspace_id', title: 'Workspace', more: true },
        { name: 'dead_after', title: 'Died after', hint: '2h or an instant' },
        { name: 'dead_before', title: 'Died before', hint: '10m or an instant', more: true },
        { name: 'fingerprint', title: 'Fingerprint', more: true },
    ].filter(Boolean);
}
