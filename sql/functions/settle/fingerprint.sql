-- fingerprint(error_class, error): what makes two failures the same failure.
-- Ids, addresses, quoted strings and numbers in the text stand for any other, white space for one blank, and only the
-- first 1000 characters count. A function of its arguments alone, so that it can be computed anywhere: no backslashes, which
-- mean something else to a session whose standard_conforming_strings is off.
-- Returns: 32 hexadecimal digits.
-- postrider: grant worker, operator, viewer, agent
create or replace function postrider.fingerprint(p_error_class text, p_error text) returns text
    language sql immutable parallel safe
    as $$
    select pg_catalog.md5(coalesce(p_error_class, '') || E'\n' || pg_catalog.btrim(pg_catalog.regexp_replace(
        pg_catalog.regexp_replace(
            -- In this order: what is quoted, UUIDs, mail addresses, hexadecimal ids and IPv6 addresses, then numbers
            -- with their dots and colons, which takes in IPv4 addresses, ports, dates and times.
            pg_catalog.left(coalesce(p_error, '') collate "C", 1000),
            '"[^"]*"|`[^`]*`|(?<![[:alnum:]])''[^'']*''(?![[:alnum:]])'
            '|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
            '|[[:alnum:]._%+-]+@[[:alnum:]-]+([.][[:alnum:]-]+)+'
            '|0x[0-9a-f]+|[[:<:]][0-9a-f]{8,}[[:>:]]|[[:<:]][0-9a-f]{0,4}(:[0-9a-f]{0,4}){3,7}[[:>:]]'
            '|[0-9]+([.,:][0-9]+)*', '#', 'gi'),
        '[[:space:]]+', ' ', 'g')))
    $$;
