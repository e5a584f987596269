// Lists: a table that a keyboard walks through (j, k, enter), stacked on narrow screens, one page at a time.
import { h } from '../core/dom.js';
import { when } from '../core/format.js';
import { here, link, note } from '../core/route.js';
import { suggested, suggestions } from './suggest.js';

/**
 * columns: [{title, cell(row), kind: 'num' | 'wide' | 'tight'}]; key(row) names a row in the URL;
 * checked: a Set of keys, when rows can be chosen; choose() is called when it changes.
 */
export function table({ label, columns, rows, key, empty, checked, choose }) {
    if (rows.length === 0) {
        return h('div.sheet.empty', empty ?? 'Nothing here.');
    }
    const at = here().query.at;
    const head = h('tr', { role: 'row' }, checked && h('th.check', { role: 'columnheader', scope: 'col' }, h('span', 'Chosen')),
        columns.map(({ title, kind = '' }) => h('th', { role: 'columnheader', scope: 'col', class: kind }, title)));
    const body = rows.map((row) => line(row, { columns, key, at, checked, choose }));
    return h('div.scroll',
        h('table', { role: 'table', 'aria-label': label }, h('thead', { role: 'rowgroup' }, head),
            h('tbody', { role: 'rowgroup' }, body)));
}

function line(row, { columns, key, at, checked, choose }) {
    const name = key ? String(key(row)) : '';
    const attributes = { role: 'row', 'data-row': name, tabindex: '-1', class: name && name === at ? 'current' : null };
    const element = h('tr', attributes);
    if (checked) {
        const box = h('input', { type: 'checkbox', 'aria-label': `Choose ${name}`, change: () => {
            checked[box.checked ? 'add' : 'delete'](name);
            choose();
        } });
        box.checked = checked.has(name);
        element.append(h('td.check', { role: 'cell', 'data-label': 'Chosen' }, box));
    }
    for (const { title, cell, kind = '' } of columns) {
        element.append(h('td', { role: 'cell', class: kind, 'data-label': title }, h('div', cell(row))));
    }
    element.addEventListener('focusin', () => makeCurrent(element));
    return element;
}

function makeCurrent(row) {
    for (const other of document.querySelectorAll('tr.current')) {
        other.classList.remove('current');
    }
    row.classList.add('current');
    if (row.dataset.row) {
        note({ at: row.dataset.row });
    }
}

/** Moves to the next or the previous row and shows it. */
export function step(by) {
    const rows = [...document.querySelectorAll('main tr[data-row]')];
    const now = rows.findIndex((row) => row.classList.contains('current'));
    const next = rows[now < 0 ? (by > 0 ? 0 : rows.length - 1) : Math.min(Math.max(now + by, 0), rows.length - 1)];
    if (next) {
        (next.querySelector('a, button') ?? next).focus({ preventScroll: true });
        next.scrollIntoView({ block: 'nearest' });
    }
}

/** Chooses or leaves the current row. */
export function toggle() {
    document.querySelector('main tr.current input[type="checkbox"]')?.click();
}

/** The way to the next page; the one before is one step back in the history. */
export function pager(page, shown) {
    const { parts, query } = here();
    if (!page.next && !query.after) {
        return h('p.muted', `${shown} in all`);
    }
    return h('nav.row', { 'aria-label': 'Pages' },
        query.after && h('a.button.small', { href: link(parts, { ...query, after: '', at: '' }) }, 'First page'),
        page.next && h('a.button.small', { href: link(parts, { ...query, after: page.next, at: '' }), rel: 'next' },
            page.searched_to ? 'Search further back' : 'Next page'),
        h('span.muted', page.searched_to ? [`${shown} here; searched back to `, when(page.searched_to)]
            : page.next ? `${shown} on this page` : 'The last page'));
}

/**
 * A form whose fields are the query of the URL. fields: [{name, title, type, options, hint, more}];
 * those with `more` are collapsed while they are empty; on a phone all but the first two are, so that the list is visible.
 */
export function filterForm(fields, { label, action = 'Show' } = {}) {
    const { parts, query } = here();
    const phone = matchMedia('(max-width: 600px)').matches && fields.length > 3;
    const folded = fields.map(({ name, more }, at) => more || (phone && at > 1 && !query[name]));
    const rest = fields.filter((_, at) => folded[at]);
    const form = h('form.filter', { 'aria-label': label, role: 'search', submit: (event) => {
        event.preventDefault();
        const values = Object.fromEntries(new FormData(form));
        const kept = Object.fromEntries(Object.entries(query).filter(([name]) =>
            !fields.some((field) => field.name === name) && name !== 'after' && name !== 'at'));
        location.hash = link(parts, { ...kept, ...values });
    } }, fields.filter((_, at) => !folded[at]).map((field) => control(field, query[field.name] ?? '')),
    h('button', { type: 'submit' }, action),
    fields.some(({ name }) => query[name]) && h('a.button', { href: link(parts) }, 'Clear'),
    rest.length > 0 && h('details', { open: rest.some(({ name }) => query[name]) }, h('summary', 'More'),
        h('div', rest.map((field) => control(field, query[field.name] ?? '')))));
    return form;
}

function control({ name, title, type = 'text', options, hint }, value) {
    if (type === 'checkbox') {
        const box = h('input', { type: 'checkbox', name, value: '1' });
        box.checked = value === '1';
        return h('label.beside', box, title);
    }
    if (options) {
        const select = h('select', { name }, options.map(([text, word]) => h('option', { value: text }, word)));
        select.value = value;
        return h('label', title, select);
    }
    const input = h('input', { name, type, value, placeholder: hint, autocomplete: 'off', spellcheck: 'false' });
    return h('label', title, input, suggested.includes(name) && suggestions(name, input));
}
