// The search box: an id of a message or delivery, a key or a trace. A single hit is opened at once.
import { Problem, get, path } from './api.js';
import { go } from './route.js';
import { values } from './suggest.js';
import { guess, isId } from './view_messages.js';

const channelsMax = 10;

async function exists(where) {
    try {
        return await get(where);
    } catch (failure) {
        if (failure instanceof Problem && [400, 403, 404].includes(failure.status)) {
            return null;
        }
        throw failure;
    }
}

/** Messages that match, of the channels that have handlers: a search is of one channel. */
async function messagesOf(word) {
    const channels = ['outbox_default', ...((await values()).channel ?? []).filter((name) => name !== 'outbox_default')].slice(0, channelsMax);
    const pages = await Promise.all(channels.map((channel) => get('messages', { [guess(word)]: word, channel, limit: 2 })));
    return pages.flatMap(({ rows }, at) => rows.map((row) => ({ id: row.id, channel: channels[at] })));
}

export async function find(text) {
    const word = text.trim();
    if (/^\d+$/.test(word) && await exists(`dead-letters/${path(word)}`)) {
        go(['dead-letters', word]);
    } else if (isId(word)) {
        go(['messages', word]);
    } else if (word) {
        const hits = await messagesOf(word);
        if (hits.length === 1) {
            go(['messages', hits[0].id]);
        } else {
            go(['messages'], { q: word, channel: hits[0]?.channel });
        }
    }
}
