// Publishing in the caller's own transaction: `client` is a client of pg, or anything with its query().

const fields = new Set([
    "event_type", "payload", "source", "target", "channel", "id", "event_version", "occurred_at", "workspace_id",
    "idempotency_key", "ordering_key", "partition_key", "headers", "metadata", "trace_context", "content_class",
    "generation", "available_at", "priority", "max_attempts",
]);
const documents = new Set(["payload", "headers", "metadata"]);

/** Appends one message. Resolves to its id; the message exists when the transaction commits. */
export async function publish(client, message) {
    const envelope = { ...message };
    if (envelope.generation != null && !envelope.channel) {
        envelope.channel = `outbox_gen_${envelope.generation}`;
    }
    const values = [];
    const list = [];
    for (const [name, value] of Object.entries(envelope)) {
        if (!fields.has(name)) {
            throw new TypeError(`publish: unknown field ${name}`);
        }
        if (value === undefined || (value === null && name !== "payload")) {
            continue;
        }
        values.push(documents.has(name) ? JSON.stringify(value) : value);
        list.push(`p_${name} => $${values.length}${documents.has(name) ? "::jsonb" : ""}`);
    }
    const { rows } = await client.query(`select postrider.publish(${list.join(", ")}) as id`, values);
    return rows[0].id;
}

/** Appends up to 10,000 messages. Resolves to their number. */
export async function publishMany(client, messages) {
    const { rows } = await client.query("select postrider.publish_many($1::jsonb) as count", [JSON.stringify(messages)]);
    return rows[0].count;
}
