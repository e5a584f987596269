// Edit and replay: messages are immutable; a new message replaces it for this handler.
import { get, path, post } from '../core/api.js';
import { ask, problem, tell } from '../parts/ask.js';
import { h, outside, replace, visible } from '../core/dom.js';
import { difference, fault, pretty } from '../core/json_text.js';
import { crumbs, error, head } from '../parts/marks.js';
import { reveal } from '../parts/payload.js';
import { go, link } from '../core/route.js';

function diffBox(before, after) {
    const lines = difference(before, after);
    const looks = { ' ': 'same', '-': 'gone', '+': 'came' };
    return h('pre.text.diff', { tabindex: '0', 'aria-label': 'Changes' },
        lines.map(([sign, line]) => h(`span.${looks[sign]}`, `${sign} `, visible(line))));
}

function area(name, title, text, changed) {
    const note = h('span.field-note', { role: 'status' });
    const input = h('textarea', { name, rows: Math.min(24, text.split('\n').length + 1), spellcheck: 'false', value: text, input: () => {
        const wrong = fault(input.value);
        input.setAttribute('aria-invalid', String(wrong !== ''));
        note.textContent = wrong ? `Not JSON: ${wrong}` : '';
        changed();
    } });
    return { input, label: h('label', title, input, note) };
}

async function confirm(row, edits, texts) {
    const changed = Object.entries(edits).filter(([name, { input }]) => input.value !== texts[name]);
    const made = await ask({
        title: 'Replace this dead letter?',
        text: [h('p', 'A new message with your changes runs in ', outside(row.handler), ' alone. The dead letter is set aside and names it.'),
            changed.map(([name, { input }]) => [h('h3', name), diffBox(texts[name], input.value)])],
        fields: [{ name: 'reason', title: 'Reason, for the audit', required: true, rows: 2 }], action: 'Edit and replay',
        perform: ({ reason }) => {
            const parts = changed.map(([name, { input }]) => `${JSON.stringify(name)}: ${input.value}`);
            return post(`dead-letters/${path(row.delivery_id)}/edit`, `{${[...parts, `"reason": ${JSON.stringify(reason)}`].join(', ')}}`);
        },
    });
    if (made) {
        tell('It is replaced and runs now.');
        go(['messages', made.id]);
    }
}

function form(row, found) {
    const texts = { payload: pretty(found.get('payload') ?? 'null'), headers: pretty(found.get('headers') ?? '{}') };
    const review = h('button.main', { type: 'submit', disabled: true }, 'Review …');
    const edits = {};
    const changed = () => {
        const all = Object.entries(edits);
        review.disabled = all.every(([name, { input }]) => input.value === texts[name]) || all.some(([, { input }]) => fault(input.value));
    };
    edits.payload = area('payload', 'Payload', texts.payload, changed);
    edits.headers = area('headers', 'Headers to add or replace', texts.headers, changed);
    return h('form.stack', { submit: (event) => {
        event.preventDefault();
        confirm(row, edits, texts);
    } }, edits.payload.label, edits.headers.label,
    h('div.row', review, h('a.button', { href: link(['dead-letters', row.delivery_id]) }, 'Leave it as it is')));
}

export const editing = {
    title: (row) => `Edit dead letter ${row.delivery_id}`,
    load: ({ parts, signal }) => get(`dead-letters/${path(parts[1])}`, {}, signal),
    show(row, { me }) {
        const place = h('section.stack');
        const open = async () => {
            try {
                replace(place, form(row, await reveal(`dead-letters/${path(row.delivery_id)}/payload`)));
                place.querySelector('textarea').focus();
            } catch (failure) {
                replace(place, problem(failure));
            }
        };
        replace(place, me.may.includes('change')
            ? h('div.sheet.row.between', h('p', 'Editing shows its payload. The audit records the access.'),
                h('button.main', { type: 'button', id: 'reveal', click: open }, 'Reveal and edit'))
            : h('p.muted', 'Changes need the role operator.'));
        return [crumbs(['Dead letters', ['dead-letters']], [`Dead letter ${row.delivery_id}`, ['dead-letters', row.delivery_id]]),
            head('Edit and replay'), error(row.last_error), place];
    },
};
