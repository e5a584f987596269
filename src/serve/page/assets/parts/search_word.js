// Detects the kind of a search term.
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const isId = (word) => uuid.test(word);

/** The most likely search mode of a word. */
export function guess(word) {
    return uuid.test(word) ? 'id' : /^([0-9a-f]{2}-)?[0-9a-f]{32}(-|$)/i.test(word) ? 'trace'
        : /^[a-z][a-z0-9_-]*(\.[a-z0-9_*-]+)+$/.test(word) ? 'event_type' : 'idempotency_key';
}
