// Schedules: next slot, and the outcomes of past slots.
import { get, path, post } from '../core/api.js';
import { h, outside } from '../core/dom.js';
import { ago, count, interval, plural } from '../core/format.js';
import { here, link } from '../core/route.js';
import { ask, reasonField, tell } from '../parts/ask.js';
import { pager, table } from '../parts/list.js';
import { head, state } from '../parts/marks.js';

const overlaps = { allow: 'runs beside its last message', skip: 'skips a slot while its last message is unfinished',
    queue_one: 'keeps one slot waiting while its last message is unfinished' };

async function change(row, verb, title, text, reload) {
    const done = await ask({ title: `${title}: ${row.schedule}?`, text: h('p', text), fields: [reasonField], action: title, danger: verb === 'pause',
        perform: ({ reason }) => post(`schedules/${path(row.schedule)}/${verb}`, { reason }) });
    if (done) {
        tell(`${row.schedule}: ${{ pause: 'paused', resume: 'resumed', run: 'its message is published' }[verb]}.`,
            done.id && { to: { href: link(['messages', done.id]), text: 'The message' } });
        reload();
    }
}

function turn(row, reload) {
    return row.paused ? change(row, 'resume', 'Resume', 'It continues with its first slot from now on. Slots of the pause do not fire.', reload)
        : change(row, 'pause', 'Pause', 'Its slots do not fire until it is resumed.', reload);
}

function run(row, reload) {
    return change(row, 'run', 'Run now', 'Its message is published at once, regardless of its slots.', reload);
}

function stateOf(row) {
    return row.paused ? [state('schedule', 'paused'), row.paused_reason && h('div.muted.wrap', outside(row.paused_reason))]
        : state('schedule', row.queued_slot ? 'one_waits' : 'on');
}

export const schedules = {
    title: 'Schedules',
    every: 5000,
    load: ({ query, signal }) => get('schedules', { limit: 50, after: query.after }, signal),
    show: (page, { mayControl, reload }) => [head('Schedules'),
        table({
            label: 'Schedules', rows: page.rows, key: (row) => row.schedule,
            empty: [h('strong', 'No schedule.'), h('span', 'Set one with postrider schedule set.')],
            columns: [
                { title: 'Schedule', cell: (row) => [outside(row.schedule), h('div.muted', 'publishes ', outside(row.event_type), ' on ', outside(row.channel))] },
                { title: 'Slots', cell: (row) => [outside(row.cron, 'code'), h('div.muted', outside(row.time_zone))] },
                { title: 'State', cell: stateOf },
                { title: 'Next', kind: 'tight', cell: (row) => (row.next_slot ? ago(row.next_slot) : h('span.muted', 'none')) },
                { title: 'Last', kind: 'tight', cell: (row) => (row.last_message_id ? h('a', { href: link(['messages', row.last_message_id]) }, ago(row.last_fired_at)) : h('span.muted', 'never')) },
                { title: 'Fired', kind: 'num', cell: (row) => count(row.fired) },
                { title: 'Late', kind: 'num', cell: (row) => count(row.late) },
                { title: 'Skipped', kind: 'num', cell: (row) => count(row.skipped) },
                { title: 'Overlap', cell: (row) => h('span.wrap', overlaps[row.overlap] ?? row.overlap, h('div.muted', `catches up ${interval(row.catch_up)}`)) },
                { title: 'Actions', cell: (row) => mayControl && h('div.row',
                    h('button.small', { type: 'button', 'aria-label': `${row.paused ? 'Resume' : 'Pause'} ${row.schedule}`, click: () => turn(row, reload) }, row.paused ? 'Resume …' : 'Pause …'),
                    h('button.small', { type: 'button', 'aria-label': `Run now ${row.schedule}`, click: () => run(row, reload) }, 'Run now …')) },
            ],
        }), pager(page, plural(page.rows.length, 'schedule'))],
    keys: (page, { mayControl, reload }) => {
        const on = (act) => () => {
            const row = page.rows.find((one) => one.schedule === here().query.at);
            if (row) {
                act(row, reload);
            }
        };
        return mayControl ? { p: ['Pause or resume it', on(turn)], r: ['Run it now', on(run)] } : {};
    },
};
