// Confirmation dialogs and notifications.
import { h, replace } from '../core/dom.js';
import { Problem } from '../core/api.js';

/**
 * Opens a dialog with a form and waits. fields: nodes or {name, title, required, type, value, note, rows}.
 * perform(values) makes the change; its error is shown and the dialog stays. Returns its result, or null. back: the label of the other button.
 */
export function ask({ title, text, fields = [], action, back = 'Cancel', danger, perform }) {
    return new Promise((resolve) => {
        const before = document.activeElement;
        const error = h('div', { role: 'alert' });
        const confirm = h(danger ? 'button.danger' : 'button.main', { type: 'submit' }, action);
        const dialog = h('dialog', { 'aria-labelledby': 'ask-title' });
        const finish = (value) => {
            dialog.close();
            dialog.remove();
            before?.isConnected && before.focus();
            resolve(value);
        };
        const form = h('form', { submit: async (event) => {
            event.preventDefault();
            confirm.disabled = true;
            try {
                finish(await perform(Object.fromEntries(new FormData(form))));
            } catch (failure) {
                confirm.disabled = false;
                replace(error, problem(failure));
            }
        } }, h('h2', { id: 'ask-title' }, title), text, fields.map(field), error,
        h('div.buttons', h('button', { type: 'button', click: () => finish(null) }, back), confirm));
        dialog.addEventListener('cancel', (event) => {
            event.preventDefault();
            finish(null);
        });
        dialog.append(form);
        document.body.append(dialog);
        dialog.showModal();
        (form.querySelector('textarea, input, select') ?? confirm).focus();
    });
}

export const reasonField = { name: 'reason', title: 'Reason, for the audit', required: true, rows: 2 };

function field(item) {
    if (item instanceof Node || !item?.name) {
        return item;
    }
    const { name, title, required, type = 'text', value, note, rows } = item;
    const common = { name, required, value, autocomplete: 'off' };
    return h('label', title, rows ? h('textarea', { ...common, rows }) : h('input', { ...common, type }),
        note && h('span.field-note', note));
}

/** A refusal in words a person can act on. */
export function problem(failure) {
    if (!(failure instanceof Problem)) {
        console.error(failure);
    }
    return h('div.sheet.problem.stack', h('strong', failure.message), failure.hint && h('p', failure.hint),
        failure.code && h('span.muted.mono', failure.code));
}

/** A notification about a change, with an undo button if there is one. */
export function tell(text, { undo, to } = {}) {
    const box = document.getElementById('notices');
    const notice = h('div.notice', h('span', text), to && h('a', { href: to.href }, to.text),
        undo && h('button', { type: 'button', click: async () => {
            notice.remove();
            await undo().catch((failure) => tell(`Not undone: ${failure.message}.`));
        } }, 'Undo'),
        h('button', { type: 'button', 'aria-label': 'Dismiss', click: () => notice.remove() }, '×'));
    box.append(notice);
    while (box.children.length > 3) {
        box.firstChild.remove();
    }
    setTimeout(() => notice.remove(), undo ? 30000 : 8000);
}

export async function copy(text) {
    try {
        await navigator.clipboard.writeText(text);
        tell('Copied.');
    } catch {
        tell('The browser did not let the page copy; select the text and copy it.');
    }
}
