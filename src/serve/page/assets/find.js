// The search box: an id of a message or delivery, a key or a trace. A single hit is opened at once.
import { Problem, get, path } from './core/api.js';
import { go } from './core/route.js';
import { values } from './parts/suggest.js';
import { guess, isId } from './parts/search_word.js';

// A search is of one channel, and a token has a rate of requests.
const channelsMax = 40;
const atOnce = 5;

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

/** Messages that match, of the channels that have handlers; two are enough to know that there is not one alone. */
async function messagesOf(word) {
    const channels = ['outbox_default', ...((await values()).channel ?? []).filter((name) => name !== 'outbox_default')].slice(0, channelsMax);
    const hits = [];
    for (let at = 0; at < channels.length && hits.length < 2; at += atOnce) {
        const pages = await Promise.all(channels.slice(at, at + atOnce).map((channel) => get('messages', { [guess(word)]: word, channel, limit: 2 })));
        hits.push(...pages.flatMap(({ rows }) => rows));
    }
    return hits;
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
