// The frame of the page: session, current view, live figures, theme.
import { Problem, endEarly, get, hasSession, session, signIn, signOut, takeToken } from './core/api.js';
import { afterPaint, h, outside, replace, replaceCalmly } from './core/dom.js';
import { clock, keepTime, short, switchZone, zone } from './core/format.js';
import { setViewKeys, showHelp, startKeys, views } from './keys.js';
import { live } from './core/live.js';
import { ask, problem, tell } from './parts/ask.js';
import { find } from './find.js';
import { setTraceLink } from './parts/marks.js';
import { reach } from './core/reach.js';
import { signInForm } from './sign_in.js';
import { startTheme } from './theme_button.js';
import { here, link } from './core/route.js';
import { overview } from './views/overview.js';

const main = document.getElementById('main');

// All views but the overview are in a second script. It is loaded after the first paint, or at once if another view is opened first.
const otherViews = () => import('./views.js');

/** Shows a view, and with the first one the page, which early.js has hidden. */
function fill(...content) {
    document.documentElement.hidden = false;
    replace(main, ...content);
}

let me = null;
// Why the token of a link was refused. Kept until a sign-in: the form can be shown again before the user has read it.
let refusal = null;
let shown = null;
// The exchange of the token of a link for a session.
let entering = Promise.resolve();

/** One view on the screen: loads, shows and reloads it, and shows errors. */
class Showing {
    constructor(route) {
        this.route = route;
        this.view = route.parts.length === 0 ? overview : null;
        this.stop = new AbortController();
        this.text = '';
    }

    get context() {
        return { parts: this.route.parts, query: here().query, me, signal: this.stop.signal,
            mayOperate: me && me.role !== 'viewer', mayControl: me && me.role !== 'viewer' && !me.workspace,
            reload: () => this.load(true), redraw: () => this.put(this.data, false) };
    }

    end() {
        this.stop.abort();
        clearTimeout(this.timer);
        this.view?.leave?.();
    }

    async load(again = false) {
        clearTimeout(this.timer);
        again || main.setAttribute('aria-busy', 'true');
        const slow = again ? 0 : setTimeout(() => {
            this.stop.signal.aborted || fill(h('p.loading', { role: 'status' }, 'Loading …'));
        }, 150);
        const entered = entering;  // a refusal that comes before the views resets it
        try {
            this.view ??= (await otherViews()).findView(this.route.parts);
            await entered;
            if (this.stop.signal.aborted) {
                return;
            }
            me ??= await introduce(this.stop.signal);
            const data = await this.view.load(this.context);
            if (!this.stop.signal.aborted) {
                this.take(data, again);
            }
        } catch (failure) {
            if (!this.stop.signal.aborted && failure.name !== 'AbortError') {
                this.fail(failure);
            }
        } finally {
            clearTimeout(slow);
            this.stop.signal.aborted || main.setAttribute('aria-busy', 'false');
        }
    }

    take(data, again) {
        endEarly();
        const text = JSON.stringify(data);
        document.getElementById('stale')?.remove();
        if (!again || text !== this.text) {
            this.text = text;
            this.put(data, again);
            setViewKeys(this.view.keys?.(data, this.context));
            setTitle(this.view, data, this.context);
            if (!again) {
                reveal();
            }
        }
        this.at = new Date();
        this.data = data;
        if (data?.totals) {
            // All numbers on the screen are of one moment.
            live.latest = data;
            showNavigation();
        }
        const every = typeof this.view.every === 'function' ? this.view.every(data) : this.view.every;
        if (every) {
            this.again(every);
        }
    }

    put(data, again) {
        if (again && this.view.update) {
            this.view.update(data, this.context);
            return;
        }
        const focus = again ? rememberFocus() : null;
        fill(this.view.show(data, this.context));
        focus?.();
        this.view.shown?.(data, this.context);
    }

    again(after) {
        this.timer = setTimeout(() => {
            // No refresh while the user interacts with the page, or while it is hidden.
            if (document.hidden || document.querySelector('dialog[open]') || main.querySelector('form :focus')) {
                this.again(1000);
            } else {
                this.load(true);
            }
        }, after);
    }

    fail(failure) {
        if (failure.status === 401) {
            me = null;
            signedOut(failure);
            return;
        }
        if (this.data === undefined) {
            fill(h('h1', 'This could not be shown'), problem(failure),
                // Without its script the page is reloaded: browsers cache the failed import, and an upgraded server has another script.
                h('div.row', h('button', { type: 'button', click: () => (this.view ? this.load() : location.reload()) }, 'Try again'),
                    h('a', { href: '#/' }, 'To the overview')));
        } else if (!reach.downSince && failure.status !== 0 && !document.getElementById('stale')) {
            main.prepend(h('p.stale-note', { id: 'stale', role: 'status' },
                `Not refreshed since ${clock(this.at)} ${zone()}: ${failure.message}. The page retries.`));
        }
        const passing = !(failure instanceof Problem) || [0, 429, 502, 503, 504].includes(failure.status);
        if (passing) {
            this.again(3000);
        }
    }
}

async function introduce(signal) {
    const answer = await get('me', {}, signal);
    replace(document.getElementById('who'), outside(answer.name ?? ''), ` ${answer.role ?? ''}`);
    me = answer;
    refusal = null;
    setTraceLink(answer.trace_link);
    document.getElementById('leave').hidden = false;
    showNavigation();
    return answer;
}

/** Shows the sign-in form. The URL stays the same, so its view is shown afterwards. */
function signedOut(failure) {
    refusal = failure.refused ? failure : refusal;
    document.getElementById('leave').hidden = true;
    replace(document.getElementById('who'));
    document.title = 'Sign in · Postrider';
    fill(signInForm(refusal));
    main.querySelector('input').focus();
}

function rememberFocus() {
    const row = document.activeElement?.closest?.('main tr[data-row]')?.dataset.row;
    const id = main.contains(document.activeElement) ? document.activeElement.id : '';
    return () => {
        const element = row !== undefined
            ? [...main.querySelectorAll('tr[data-row]')].find((candidate) => candidate.dataset.row === row)
            : id && document.getElementById(id);
        (element?.querySelector?.('a, button') ?? element)?.focus?.({ preventScroll: true });
    };
}

/** After a navigation, moves the focus to the new content, or to the row that the URL selects. */
function reveal() {
    const current = main.querySelector('tr.current');
    if (current) {
        current.scrollIntoView({ block: 'nearest' });
        (current.querySelector('a, button') ?? current).focus({ preventScroll: true });
    } else {
        main.focus({ preventScroll: true });
        window.scrollTo(0, 0);
    }
}

function setTitle(view, data, context) {
    const title = typeof view.title === 'function' ? view.title(data, context) : view.title;
    document.title = title ? `${title} · Postrider` : 'Postrider';
}

// The views for a token of one workspace.
const ofWorkspace = ['Dead letters', 'Replays', 'Messages', 'Deliveries', 'Handlers', 'Consumers', 'Schedules'];

function allowed(title) {
    return !me || ((!me.workspace || ofWorkspace.includes(title)) && (title !== 'Audit' || me.may.includes('audits'))
        && (title !== 'Doctor' || me.may.includes('change')));
}

function showNavigation() {
    const first = here().parts[0] ?? '';
    const dead = live.latest?.totals?.dead_letters;
    replaceCalmly(document.getElementById('nav'), h('ul', views.filter(([, , title]) => allowed(title)).map(([, parts, title]) =>
        h(['Handlers', 'Retention'].includes(title) ? 'li.apart' : 'li',
            h('a', { href: link(parts), 'aria-current': (parts[0] ?? '') === first ? 'page' : null }, title,
                title === 'Dead letters' && Number(dead) > 0 &&
                    h('span.badge', short(dead)))))));
}

function closeMenu() {
    document.getElementById('nav').classList.remove('shown');
    document.getElementById('menu').setAttribute('aria-expanded', 'false');
}

/** A link of a stranger must not make this browser act under the name of the stranger: the user decides. */
function askToReplace(token) {
    ask({ title: 'Sign in with the token of this link?', text: h('p', 'You are signed in. The link would replace your session, in all tabs of this ',
        'browser. Continue only if you know who made the link.'), action: 'Replace my session', danger: true,
    perform: () => signIn(token).then(() => true) });
}

/** A link can carry a token, which begins a session; a refusal is shown with the form. */
function enter() {
    const token = takeToken();
    if (token) {
        me = null;
        entering = hasSession().then((has) => (has ? askToReplace(token) : signIn(token))).catch((failure) => {
            entering = Promise.resolve();
            throw Object.assign(failure, { refused: true });
        });
        entering.catch(() => {});
    }
}

function route() {
    enter();
    shown?.end();
    setViewKeys();
    closeMenu();
    showNavigation();
    main.dataset.address = location.hash;
    shown = new Showing(here());
    return shown.load();
}

function showLive() {
    const element = document.getElementById('live');
    const on = live.connected && !reach.downSince;
    element.className = on ? 'live on' : reach.downSince ? 'live stale' : 'live';
    const text = on ? 'Live' : reach.downSince || ['refused', 'signed out'].includes(live.reason) ? 'Not live' : 'Connecting';
    if (element.textContent !== text) {
        element.textContent = text;
    }
    if (live.reason === 'signed out' && me) {
        shown.fail(new Problem(401));
    }
}

/** While the server is unreachable, all data is stale: a banner shows since when, and colours are removed. */
function showReach() {
    const banner = document.getElementById('down');
    document.body.classList.toggle('not-live', Boolean(reach.downSince));
    banner.hidden = !reach.downSince;
    banner.textContent = reach.downSince
        ? `Not live since ${clock(reach.downSince)} ${zone()}: ${reach.reason}. The page retries every two seconds.` : '';
    showLive();
    if (!reach.downSince) {
        shown?.load(shown.data !== undefined);
    }
}

function again() {
    shown?.end();
    shown = new Showing(here());
    shown.load();
}

/** The button that shows and switches the time zone. */
function startZone() {
    const button = document.getElementById('zone');
    const name = () => {
        button.textContent = zone() === 'UTC' ? 'UTC' : 'Local';
        button.setAttribute('aria-label', `Times are in ${zone()}; show ${zone() === 'UTC' ? 'local time' : 'UTC'}`);
    };
    button.addEventListener('click', () => {
        switchZone();
        name();
        again();
    });
    name();
}

function start() {
    startTheme();
    startKeys();
    document.getElementById('help').addEventListener('click', showHelp);
    document.getElementById('skip').addEventListener('click', (event) => {
        event.preventDefault();
        main.focus();
    });
    document.getElementById('menu').addEventListener('click', (event) => {
        const open = document.getElementById('nav').classList.toggle('shown');
        event.currentTarget.setAttribute('aria-expanded', String(open));
    });
    document.getElementById('find').addEventListener('submit', (event) => {
        event.preventDefault();
        const word = document.getElementById('word');
        find(word.value).then(() => word.blur(), (failure) => tell(`Not found: ${failure.message}.`));
    });
    window.addEventListener('hashchange', route);
    document.getElementById('leave').addEventListener('click', () => signOut().catch(() => {}));
    session.addEventListener('change', () => {
        me = null;
        again();
    });
    startZone();
    reach.addEventListener('change', showReach);
    live.addEventListener('state', showLive);
    live.addEventListener('figures', ({ detail }) => {
        // The overview shows the numbers of its own snapshot.
        if (!shown?.data?.totals) {
            showNavigation();
        }
        if (shown?.data !== undefined) {
            shown.view.live?.(detail.figures, shown.data, shown.context);
        }
    });
    setInterval(() => keepTime(main), 5000);
    route().then(() => afterPaint(() => {
        otherViews().catch(() => {});
        live.start();
    }));
}

start();
