// Changes of dead letters, each with a confirmation dialog.
import { post } from './api.js';
import { ask, reasonField, tell } from './ask.js';
import { h } from './dom.js';
import { plural } from './format.js';
import { go, link } from './route.js';

/** One dead letter: no need for a plan, but for a reason. */
export async function replayOne(row) {
    const started = await ask({
        title: 'Replay this dead letter?',
        text: h('p', `It runs again in ${row.handler}, as the same message with the same idempotency key. `,
            'If it dies again it is back here, with both cycles in its history.'),
        fields: [reasonField], action: 'Replay it',
        perform: ({ reason }) => post('replays', { filter: { deliveries: [row.delivery_id] }, reason }),
    });
    if (started) {
        go(['replays', started.replay]);
    }
}

/** filter: selects the dead letters; total: their number, if known. */
export async function discard(filter, total, reload) {
    const subject = total === undefined ? 'these dead letters' : plural(total, 'dead letter');
    const done = await ask({
        title: `Discard ${subject}?`,
        text: h('p', 'They are listed no more and removed when their grace is over. Until then they can be restored from ',
            h('a', { href: link(['dead-letters', 'discarded']) }, 'Discarded'), '.'),
        fields: [reasonField], action: `Discard ${subject}`, danger: true,
        perform: ({ reason }) => post('dead-letters/discard', { filter, reason }),
    });
    if (done) {
        const undo = filter.deliveries && (async () => {
            await post('dead-letters/restore', { filter, reason: 'undone right away' });
            tell('Restored.');
            reload();
        });
        tell(`${plural(done.count, 'dead letter')} discarded.`, { undo });
        reload();
    }
    return done;
}

export async function restore(filter, total, reload) {
    const done = await ask({
        title: `Restore ${plural(total, 'dead letter')}?`,
        text: h('p', 'They are dead letters again: listed, counted, and ready to be replayed.'),
        fields: [reasonField], action: `Restore ${plural(total, 'dead letter')}`,
        perform: ({ reason }) => post('dead-letters/restore', { filter, reason }),
    });
    if (done) {
        tell(`${plural(done.count, 'dead letter')} restored.`);
        reload();
    }
}
