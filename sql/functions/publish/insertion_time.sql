-- insertion_time(): when a row is inserted. It reads the clock, yet is declared stable: COPY gives up writing many rows at once
-- as soon as a default is volatile, and that halves its speed.
-- postrider: grant producer
create or replace function postrider.insertion_time() returns timestamptz
    language plpgsql stable parallel safe
    as $$ begin return pg_catalog.clock_timestamp(); end $$;
