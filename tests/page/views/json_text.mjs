import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { it } from 'node:test';

const source = await readFile(new URL('../../../src/serve/page/assets/core/json_text.js', import.meta.url), 'utf8');
const { difference, fault, members, pretty } = await import(`data:text/javascript,${encodeURIComponent(source)}`);

const texts = [
    '{}', '[]', '""', '0', '-1.50e+10', 'null', '{"a": []}', '[[], {}, [1, [2]]]', '{"a": {"b": {"c": "}]{,:\\"\\\\"}}}',
    '{"big": 12345678901234567890, "one": 1.0}', '{"payload": "x", "": "y", "\\u0022": [",", ":"]}', '"line\\nbreak"', '[true, false, null]',
];

export function jsonText() {
    it('formats_json_without_changing_values', () => {
        for (const text of texts) {
            assert.deepEqual(JSON.parse(pretty(text)), JSON.parse(text), text);
            assert.equal(pretty(pretty(text)), pretty(text), text);
        }
        assert.equal(pretty('{"b":12345678901234567890,"l":[1.0,{}]}'),
            '{\n    "b": 12345678901234567890,\n    "l": [\n        1.0,\n        {}\n    ]\n}');
    });

    it('takes_the_members_of_an_object_as_they_were_written', () => {
        for (const text of texts) {
            const found = members(`{"payload": ${text}, "headers" :{"payload": 1} , "metadata":${text}}`);
            assert.equal(found.get('payload'), text);
            assert.equal(found.get('headers'), '{"payload": 1}');
            assert.equal(found.get('metadata'), text);
            assert.equal(found.size, 3);
        }
    });

    it('reports_differences_and_syntax_errors', () => {
        assert.deepEqual(difference('a\nb\nc', 'a\nx\nc'), [[' ', 'a'], ['-', 'b'], ['+', 'x'], [' ', 'c']]);
        assert.deepEqual(difference('a', 'a'), [[' ', 'a']]);
        assert.deepEqual(difference('a\nb', 'b').filter(([sign]) => sign !== ' '), [['-', 'a']]);
        assert.equal(fault('{"a": 1}'), '');
        assert.match(fault('{"a": 1,\n"b" 2}'), /^line 2: ./);
        assert.match(fault('{"a": ['), /Unexpected end/);  // without a position
    });
}
