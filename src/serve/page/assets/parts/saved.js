// Filters that the user has named, kept in this browser. One is the query of the URL of a view.
import { h } from '../core/dom.js';
import { here, link } from '../core/route.js';
import { ask } from './ask.js';

const place = 'postrider.filters';
const most = 30;

function all() {
    try {
        const found = JSON.parse(localStorage.getItem(place) ?? '[]');
        return Array.isArray(found) ? found.filter((one) => typeof one?.name === 'string' && one.query instanceof Object) : [];
    } catch {
        return [];
    }
}

function keep(filters) {
    localStorage.setItem(place, JSON.stringify(filters.slice(-most)));
}

const ofView = (parts) => (one) => one.view === parts.join('/');
const withoutPlace = (query) => Object.fromEntries(Object.entries(query).filter(([name]) => !['after', 'at'].includes(name)));

/** The saved filters of this view as links, and a button that saves the one in the URL. redraw() is called when they change. */
export function savedFilters(redraw) {
    const { parts, query } = here();
    const now = withoutPlace(query);
    const mine = all().filter(ofView(parts));
    const remove = (one) => {
        keep(all().filter((other) => other.name !== one.name || other.view !== one.view));
        redraw();
    };
    const save = async () => {
        const done = await ask({ title: 'Save this filter', text: h('p.muted', 'In this browser.'), fields: [{ name: 'name', title: 'Name', required: true }], action: 'Save',
            perform: ({ name }) => {
                keep([...all().filter((one) => one.name !== name || !ofView(parts)(one)), { name: name.slice(0, 60), view: parts.join('/'), query: now }]);
                return true;
            } });
        if (done) {
            redraw();
        }
    };
    const canSave = Object.keys(now).length > 0;
    return (mine.length > 0 || canSave) && h('nav.row', { 'aria-label': 'Saved filters' }, mine.map((one) => h('span.saved',
        h('a.button.small', { href: link(parts, one.query) }, one.name),
        h('button.quiet.small', { type: 'button', 'aria-label': `Forget the filter ${one.name}`, click: () => remove(one) }, '×'))),
    canSave && h('button.quiet.small', { type: 'button', click: save }, 'Save this filter …'));
}
