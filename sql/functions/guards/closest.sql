-- closest(word, words): the one of the words that a misspelt word probably means, ignoring case.
-- Returns: the word with the smallest edit distance (Levenshtein), null when more than half of the longer one's letters differ.
-- For error messages only: it takes about a millisecond. The first 64 characters of the word count, the first 200 of the words,
-- and of these none with more than 128 characters, so a hostile argument costs no more.
-- postrider: grant producer
create or replace function postrider.closest(p_word text, p_words text[]) returns text
    language plpgsql immutable parallel safe
    as $$
declare
    v_word constant text := pg_catalog.lower(pg_catalog.left(p_word, 64));
    v_least int;
    v_distance int;
    v_found text;
    v_other text;
    v_row int[];   -- distances of the word's first i letters to those of the other
    v_next int[];
begin
    foreach v_other in array coalesce(p_words[1:200], '{}') loop
        continue when v_other is null or pg_catalog.length(v_other) > 128;
        v_row := array(select pg_catalog.generate_series(0, pg_catalog.length(v_other)));
        for i in 1..pg_catalog.length(v_word) loop
            v_next := array[i];
            for j in 1..pg_catalog.length(v_other) loop
                v_next := v_next || least(
                    v_row[j + 1] + 1, v_next[j] + 1,
                    v_row[j] + (pg_catalog.substr(v_word, i, 1) <> pg_catalog.substr(v_other, j, 1))::int);
            end loop;
            v_row := v_next;
        end loop;
        v_distance := v_row[pg_catalog.length(v_other) + 1];
        if v_distance * 2 <= greatest(pg_catalog.length(v_word), pg_catalog.length(v_other))
           and v_distance < coalesce(v_least, v_distance + 1) then
            v_least := v_distance;
            v_found := v_other;
        end if;
    end loop;
    return v_found;
end
$$;
