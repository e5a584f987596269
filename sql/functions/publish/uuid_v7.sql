-- uuid_v7(): a UUID version 7: 48 bits of milliseconds, then random bits, so that ids sort by time.
-- The default of message.id, which needs it before there are functions: migration 1 has a placeholder. It runs as the
-- producer, with the producer's search_path, so every function and operator in it is qualified with pg_catalog.
-- postrider: grant producer
create or replace function postrider.uuid_v7() returns uuid
    language sql volatile parallel safe
    as $$
    select pg_catalog.encode(
        pg_catalog.set_bit(pg_catalog.set_bit(
            pg_catalog.overlay(
                pg_catalog.uuid_send(pg_catalog.gen_random_uuid()),
                pg_catalog.substring(
                    pg_catalog.int8send(pg_catalog.floor(
                        pg_catalog.date_part('epoch', pg_catalog.clock_timestamp()) operator(pg_catalog.*) 1000::float8)::bigint),
                    3),
                1, 6),
            52, 1), 53, 1),
        'hex')::uuid
    $$;
