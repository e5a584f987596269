-- doorbell_relay(channel): the keeper wakes all workers of a channel on behalf of the producers that publish without
-- NOTIFY. The payload 'relay' tells workers that more messages may follow without a NOTIFY of their own.
-- Returns: the newest sequence number of the log, of any channel. Its growth is the rate of publication.
-- postrider: grant worker
create or replace function postrider.doorbell_relay(p_channel text) returns bigint
    language plpgsql volatile security definer
    set search_path = pg_catalog, pg_temp
    as $$
begin
    perform pg_notify(p_channel, 'relay');
    return coalesce(pg_sequence_last_value('postrider.message_seq_seq'), 0);
end
$$;
