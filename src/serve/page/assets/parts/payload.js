// The payload, hidden until the user reveals it; the audit records the access.
import { get } from '../core/api.js';
import { copy, problem } from './ask.js';
import { h, replace, visible } from '../core/dom.js';
import { members, pretty } from '../core/json_text.js';

/** Requests payload, headers and metadata, each as its own JSON text. */
export async function reveal(where) {
    return members(await get(where, {}, undefined, 'text'));
}

/** A button that reveals; then texts that can be searched and copied. */
export function payloadBox(where, { me }) {
    const box = h('section.sheet.stack', { 'aria-label': 'Payload' });
    if (!me.may.includes('reveal')) {
        return replace(box, h('h2', 'Payload'), h('p.muted', 'Payloads are shown to operators; this token is a viewer’s.'));
    }
    const button = h('button', { type: 'button', id: 'reveal', click: async () => {
        button.disabled = true;
        try {
            const found = await reveal(where);
            replace(box, ...['payload', 'headers', 'metadata'].map((name) => part(name, found.get(name) ?? 'null')));
            box.querySelector('input')?.focus();
        } catch (failure) {
            button.disabled = false;
            replace(box, h('h2', 'Payload'), problem(failure), button);
        }
    } }, 'Reveal');
    return replace(box, h('div.row.between', h('h2', 'Payload, headers, metadata'), button),
        h('p.muted', 'Hidden until you reveal it. The audit records the access.'));
}

function part(name, raw) {
    const title = name[0].toUpperCase() + name.slice(1);
    if (name !== 'payload' && (raw === 'null' || raw === '{}')) {
        return null;
    }
    const text = pretty(raw);
    const place = h('pre.text', { tabindex: '0', 'aria-label': title, id: `text-${name}` }, visible(text));
    const found = h('span.muted', { role: 'status' });
    const input = h('input', { type: 'search', placeholder: `Find in ${name}`, 'aria-label': `Find in ${name}`,
        input: () => find(place, text, input.value, found) });
    return h('div.stack', h('div.row.between', h('h2', title), h('div.row', found, input,
        h('button.small', { type: 'button', 'aria-label': `Copy ${name}`, click: () => copy(text) }, 'Copy'))), place);
}

function find(place, text, word, found) {
    const nodes = [];
    let from = 0;
    let times = 0;
    if (word) {
        const low = text.toLowerCase();
        const wanted = word.toLowerCase();
        // Lower case can be longer than the text itself in some scripts; then only exact matches are found.
        const [haystack, needle] = low.length === text.length ? [low, wanted] : [text, word];
        for (let at = haystack.indexOf(needle); at >= 0 && times < 2000; at = haystack.indexOf(needle, from)) {
            nodes.push(visible(text.slice(from, at)), h('mark', visible(text.slice(at, at + needle.length))));
            from = at + needle.length;
            times += 1;
        }
    }
    nodes.push(visible(text.slice(from)));
    replace(place, nodes);
    found.textContent = word ? `${times} found` : '';
    place.querySelector('mark')?.scrollIntoView({ block: 'nearest' });
}
