import { describe, expect, test } from 'vitest';
import { UsageError } from '../../src/errors.ts';
import { APPEND, buildBody, parseRawField, parseTypedField, type Segment, writePath } from '../../src/values/assignment.ts';
import { stringifyJson } from '../../src/values/json.ts';

describe('a typed field', () => {
  test.each([
    ['a=true', 'true'],
    ['a=false', 'false'],
    ['a=null', 'null'],
    ['a=12', '12'],
    ['a=-1.50', '"-1.50"'],
    ['a=-15', '-15'],
    ['a=12345678901234567890', '12345678901234567890'],
    ['a=1e400', '"1e400"'],
    ['a=007', '"007"'],
    ['a=True', '"True"'],
    ['a= 1', '" 1"'],
    ['a=', '""'],
    ['a=x=y', '"x=y"'],
    ['a={"b":1}', '"{\\"b\\":1}"'],
  ])('is parsed as JSON or a string from %s', (text, json) => {
    const { value } = parseTypedField(text);
    expect(value.kind === 'value' && stringifyJson(value.value)).toBe(json);
  });

  test('names the file or standard input with the value', () => {
    expect(parseTypedField('a=@notes.txt').value).toEqual({ kind: 'file', path: 'notes.txt' });
    expect(parseTypedField('a=@-').value).toEqual({ kind: 'file', path: '-' });
    expect(() => parseTypedField('a=@')).toThrow(UsageError);
  });
});

test('a raw field is always a string', () => {
  for (const text of ['12', 'true', '@file', '']) expect(parseRawField(`a=${text}`).value).toEqual({ kind: 'value', value: text, text });
});

test.each<[string, Segment[]]>([
  ['a', ['a']],
  ['a[b]', ['a', 'b']],
  ['a[]', ['a', APPEND]],
  ['a[][b c][]', ['a', APPEND, 'b c', APPEND]],
])('svc parses the field name %s', (name, path) => {
  expect(parseRawField(`${name}=1`).path).toEqual(path);
  expect(writePath(path)).toBe(name);
});

test.each([
  ['a', '"a" has no "=".'],
  ['=1', '"" is not a field name.'],
  ['[a]=1', '"[a]" is not a field name.'],
  ['a[=1', '"a[" is not a field name.'],
  ['a]=1', '"a]" is not a field name.'],
  ['a[b]c=1', '"a[b]c" is not a field name.'],
  ['a[[b]]=1', '"a[[b]]" is not a field name.'],
])('svc refuses the assignment %s', (text, message) => {
  expect(() => parseRawField(text)).toThrow(expect.objectContaining({ name: 'UsageError', message }));
});

describe('a body', () => {
  test.each([
    [['a=1', 'b=x'], '{"a":1,"b":"x"}'],
    [['a[b]=1', 'a[c]=2'], '{"a":{"b":1,"c":2}}'],
    [['a[]=1', 'a[]=2'], '{"a":[1,2]}'],
    [['a[][b]=1', 'a[][c]=2', 'a[][b]=3'], '{"a":[{"b":1,"c":2},{"b":3}]}'],
    [['a[][b]=1', 'a[][b]=2', 'a[][c]=3'], '{"a":[{"b":1},{"b":2,"c":3}]}'],
    [['a[][b][]=1', 'a[][b][]=2'], '{"a":[{"b":[1,2]}]}'],
    [['a[][]=1', 'a[][]=2'], '{"a":[[1],[2]]}'],
    [['a[][b][c]=1', 'a[][b][d]=2', 'a[][b][c]=3'], '{"a":[{"b":{"c":1,"d":2}},{"b":{"c":3}}]}'],
    [['__proto__[x]=1'], '{"__proto__":{"x":1}}'],
    [[], '{}'],
  ])('combines %j into one object', (fields, json) => {
    expect(stringifyJson(build(fields))).toBe(json);
  });

  test.each([
    [['a=1', 'a=2']],
    [['a=1', 'a[b]=2']],
    [['a[b]=1', 'a=2']],
    [['a[b]=1', 'a[]=2']],
    [['a[]=1', 'a[b]=2']],
    [['a[b]=1', 'a[b]=1']],
  ])('cannot combine %j', (fields) => {
    expect(() => build(fields)).toThrow(UsageError);
  });
});

function build(fields: readonly string[]) {
  return buildBody(
    fields.map((field) => {
      const { path, value } = parseTypedField(field);
      return { path, value: value.kind === 'value' ? value.value : null };
    }),
  );
}
