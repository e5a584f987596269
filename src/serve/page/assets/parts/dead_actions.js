// Changes of dead letters, each with a confirmation dialog.
import { post } from '../core/api.js';
import { ask, problem, reasonField, tell } from './ask.js';
import { h } from '../core/dom.js';
import { plural } from '../core/format.js';
import { fixedAt } from './dead_filter.js';
import { go, link } from '../core/route.js';

/** One dead letter: no need for a plan, but for a reason. */
export async function replayOne(row) {
    const started = await ask({
        title: 'Replay 1 dead letter?',
        text: h('p', `It runs again in ${row.handler}, as the same message with the same idempotency key. `,
            'If it dies again it is back here, with both cycles in its history.'),
        fields: [reasonField], action: 'Replay it',
        perform: ({ reason }) => post('replays', { filter: { deliveries: [row.delivery_id] }, reason }),
    });
    if (started) {
        go(['replays', started.replay]);
    }
}

/** filter: selects the dead letters. Their number is shown before, and the change is refused when it has grown. */
export async function discard(filter, reload) {
    let preview;
    try {
        preview = await post('replays/preview', { filter, exact: true });
    } catch (failure) {
        await ask({ title: 'They could not be counted', text: problem(failure), action: 'Close', perform: () => true });
        return null;
    }
    const subject = plural(preview.total, 'dead letter');
    const done = await ask({
        title: `Discard ${subject}?`,
        text: h('p', 'They are no longer listed, and are removed when their grace period ends. Until then they can be restored from ',
            h('a', { href: link(['dead-letters', 'discarded']) }, 'Discarded'), '.'),
        fields: [reasonField], action: `Discard ${subject}`, danger: true,
        perform: ({ reason }) => post('dead-letters/discard', { filter: fixedAt(filter, preview), reason, expected: preview.total }),
    });
    if (done) {
        const these = { ...fixedAt(filter, preview), discarded_after: done.after, discarded_before: done.before };
        const undo = async () => {
            const back = await post('dead-letters/restore', { filter: these, reason: 'undo of the discard' });
            tell(`${plural(back.count, 'dead letter')} restored.`);
            reload();
        };
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
