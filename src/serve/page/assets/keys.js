// Keyboard shortcuts. Handler and help use the same table, so the help is complete.
import { h } from './core/dom.js';
import { go } from './core/route.js';
import { step, toggle } from './parts/list.js';

export const views = [
    ['o', [], 'Overview'], ['d', ['dead-letters'], 'Dead letters'], ['r', ['replays'], 'Replays'],
    ['m', ['messages'], 'Messages'], ['v', ['deliveries'], 'Deliveries'], ['h', ['handlers'], 'Handlers'], ['c', ['consumers'], 'Consumers'],
    ['w', ['workers'], 'Workers'], ['k', ['brokers'], 'Brokers'], ['s', ['schedules'], 'Schedules'], ['j', ['sets'], 'Sets'],
    ['n', ['limits'], 'Limits'], ['l', ['leases'], 'Leases'], ['b', ['blocked-keys'], 'Blocked keys'], ['u', ['unique-keys'], 'Unique keys'], ['e', ['alerts'], 'Alerts'],
    ['t', ['retention'], 'Retention'], ['a', ['audits'], 'Audit'], ['i', ['doctor'], 'Doctor'],
];

let awaitingView = false;
let viewKeys = {};

/** Keys of the view that is shown: {r: ['Replay it', function]}. */
export function setViewKeys(keys = {}) {
    viewKeys = keys;
}

const general = {
    j: ['Next row', () => step(1)],
    k: ['Previous row', () => step(-1)],
    x: ['Choose the row', toggle],
    '/': ['Search', () => document.getElementById('word').focus()],
    f: ['To the filter', () => document.querySelector('main form input:not([type="checkbox"])')?.focus()],
    '?': ['This help', showHelp],
    u: ['Back', () => history.back()],
};

function typing(element) {
    return element.matches('input:not([type="checkbox"]), textarea, select, [contenteditable]');
}

export function startKeys() {
    document.addEventListener('keydown', (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) {
            return;
        }
        if (typing(event.target)) {
            if (event.key === 'Escape') {
                event.target.blur();
            }
            return;
        }
        if (press(event.key)) {
            event.preventDefault();
        }
    });
}

function press(key) {
    if (awaitingView) {
        awaitingView = false;
        const found = views.find(([letter]) => letter === key);
        if (found) {
            go(found[1]);
        }
        return Boolean(found);
    }
    if (key === 'g') {
        awaitingView = true;
        setTimeout(() => { awaitingView = false; }, 1500);
        return true;
    }
    const action = viewKeys[key] ?? general[key];
    action?.[1]();
    return Boolean(action);
}

export function showHelp() {
    const lines = [
        ...Object.entries(viewKeys).map(([key, [text]]) => [[key], text]),
        ...Object.entries(general).filter(([key]) => !viewKeys[key]).map(([key, [text]]) => [[key], text]),
        [['enter'], 'Open the row'], [['esc'], 'Leave a field or a dialog'],
        ...views.map(([key, , title]) => [['g', key], title]),
    ];
    const dialog = h('dialog', { 'aria-labelledby': 'help-title' },
        h('div.stack', h('h2', { id: 'help-title' }, 'Keys'),
            h('dl.keys', lines.map(([keys, text]) =>
                h('div', h('dt', keys.map((key) => [h('kbd', key), ' '])), h('dd', text)))),
            h('div.buttons', h('button', { type: 'button', click: () => dialog.close() }, 'Close'))));
    dialog.addEventListener('close', () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
}
