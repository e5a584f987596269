-- fingerprint(error_class, error): a hash that is equal for failures with the same cause.
-- Ids, addresses, quoted strings and numbers in the text are replaced by placeholders, white space by one blank, and only
-- the first 1000 characters count. The result depends only on the arguments. The patterns have no backslashes, which a
-- session with standard_conforming_strings off would interpret.
-- Returns: 32 hexadecimal digits.
-- postrider: grant worker, operator, viewer, agent
create or replace function postrider.fingerprint(p_error_class text, p_error text) returns text
    language sql immutable parallel safe
    as $$
    select pg_catalog.md5(coalesce(p_error_class, '') || E'\n' || pg_catalog.btrim(pg_catalog.regexp_replace(
        pg_catalog.regexp_replace(
            -- In this order: quoted strings, UUIDs, mail addresses, hexadecimal ids and IPv6 addresses, then numbers
            -- with their dots and colons, which takes in IPv4 addresses, ports, dates and times.
            pg_catalog.left(coalesce(p_error, '') collate "C", 1000),
            '"[^"]*"|`[^`]*`|(?<![[:alnum:]])''[^'']*''(?![[:alnum:]])'
            '|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
            '|[[:alnum:]._%+-]+@[[:alnum:]-]+([.][[:alnum:]-]+)+'
            '|0x[0-9a-f]+|[[:<:]][0-9a-f]{8,}[[:>:]]|[[:<:]][0-9a-f]{0,4}(:[0-9a-f]{0,4}){3,7}[[:>:]]'
            '|[0-9]+([.,:][0-9]+)*', '#', 'gi'),
        '[[:space:]]+', ' ', 'g')))
    $$;
