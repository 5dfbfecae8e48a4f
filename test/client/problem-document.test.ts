import { describe, expect, it } from 'vitest';
import { readProblem } from '../../src/client/problem-document.ts';

const read = (body: unknown, headers: Record<string, string> = {}, token = '') => readProblem(JSON.stringify(body), headers, token);

describe('the reader of a problem document', () => {
  it.each([
    ['code', { code: 'min' }, 'min'],
    ['code', { code: 7 }, '7'],
    ['code', { errors: [{ code: 'first' }, { code: 'second' }] }, 'first'],
    ['code', { code: 'own', errors: [{ code: 'first' }] }, 'own'],
    ['code', { code: true }, undefined],
    ['code', { code: 'x'.repeat(64) }, 'x'.repeat(64)],
    ['code', { code: 'x'.repeat(65) }, `${'x'.repeat(63)}…`],
    ['detail', { detail: 'Wrong.', title: 'Bad' }, 'Wrong.'],
    ['detail', { title: 'Bad' }, 'Bad'],
    ['detail', { detail: ' \n ', title: 'Bad' }, 'Bad'],
    ['detail', { detail: 'x'.repeat(300) }, 'x'.repeat(300)],
    ['detail', { detail: 'x'.repeat(301) }, `${'x'.repeat(299)}…`],
    ['detail', { detail: `${'\u0000'.repeat(1199)}end` }, 'e'],
    ['detail', { detail: 'a\r\n\tb' }, 'a b'],
    ['reason', { reason: 'closed' }, 'closed'],
    ['reason', { reason: 'closed', conflict: { reason: 'illegal' } }, 'illegal'],
    ['reason', { conflict: ['illegal'] }, undefined],
    ['parameter', { parameter: 'x'.repeat(101) }, `${'x'.repeat(99)}…`],
    ['parameter', { name: 'last', field: 'earlier' }, 'earlier'],
    ['parameter', { pointer: '/minutes' }, 'minutes'],
    ['parameter', { param: 'own', source: { pointer: '/other' } }, 'own'],
    ['parameter', { errors: { minutes: ['Too few.'] } }, 'minutes'],
    ['parameter', { field: 'own', errors: { minutes: ['Too few.'] } }, 'own'],
    ['parameter', { violations: [{ source: { parameter: 'deep' } }] }, 'deep'],
    ['parameter', { errors: [] }, undefined],
    ['type', { type: 'https://problems.example/validation-failed' }, 'validation-failed'],
    ['type', { type: 'https://problems.example/validation-failed/?x#y' }, 'validation-failed'],
    ['type', { type: 'validation-failed' }, 'validation-failed'],
    ['type', { type: 'about:blank' }, undefined],
    ['type', { type: 7 }, undefined],
    ['type', { type: 'x'.repeat(64) }, 'x'.repeat(64)],
    ['type', { type: 'x'.repeat(65) }, undefined],
    ['requestId', { request_id: '01ABC' }, '01ABC'],
    ['requestId', { request_id: 'no id' }, undefined],
    ['retryAfter', { rate_limit: { retry_after: 3 } }, 3],
    ['retryAfter', { rate_limit: { retry_after: '3' } }, 3],
    ['retryAfter', { rate_limit: { retry_after: 0 } }, 0],
    ['retryAfter', { rate_limit: { retry_after: -1 } }, undefined],
    ['retryAfter', { rate_limit: { retry_after: 86_400 } }, 86_400],
    ['retryAfter', { rate_limit: { retry_after: 86_401 } }, 86_400],
    ['retryAfter', { rate_limit: { retry_after: 'soon' } }, undefined],
    ['retryAfter', { rate_limit: 3 }, undefined],
    ['ability', { detail: 'Needs api:write:times.' }, 'api:write:times'],
    ['ability', { detail: 'Needs api:write:times, and api:write:times.' }, 'api:write:times'],
    ['ability', { detail: 'Needs api:write:times or api:read.' }, undefined],
    ['ability', { detail: `Needs api:write:${'x'.repeat(90)}.` }, `api:write:${'x'.repeat(90)}`],
    ['ability', { detail: `Needs api:write:${'x'.repeat(91)}.` }, undefined],
    ['permission', { detail: 'Needs hours::read.' }, 'hours::read'],
  ] as const)('reads the %s from %j as %s', (member, body, expected) => {
    expect(read(body)[member]).toBe(expected);
  });

  it('prefers a valid request id of the header', () => {
    expect(read({ request_id: 'body' }, { 'x-request-id': 'header' }).requestId).toBe('header');
    expect(read({ request_id: 'body' }, { 'x-request-id': 'not one' }).requestId).toBe('body');
  });

  it('masks the token, also when escaped, and a text that looks like a token', () => {
    expect(read({ detail: 'It is s3cr3t. Bearer abc|d=' }, {}, 's3cr3t').detail).toBe('It is ***. Bearer ***');
    expect(readProblem('{"detail":"It is s3\\u0063r3t."}', {}, 's3cr3t').detail).toBe('It is ***.');
    expect(read({ detail: 'It is s3cr3t.' }).detail).toBe('It is s3cr3t.');
  });

  it.each(['', 'null', '[{"code":"x"}]', '"code"', '{"code":', '<html>', ` ${JSON.stringify({ code: 'x' })}`])(
    'reads at most a code from %j',
    (text) => {
      expect(readProblem(text, {}, '')).toMatchObject({ code: text.startsWith(' ') ? 'x' : undefined, lines: [] });
    },
  );

  it('ignores a document of more than 256 KiB', () => {
    const document = (length: number) => `{"code":"x"${' '.repeat(length - 12)}}`;
    expect(readProblem(document(256 * 1024), {}, '').code).toBe('x');
    expect(readProblem(document(256 * 1024 + 1), {}, '').code).toBeUndefined();
  });
});

describe('the errors of a problem document', () => {
  it.each([
    [{ errors: [{ field: 'minutes', code: 'min', detail: 'Too few.', message: 'M', title: 'T' }] }, ['minutes: Too few. (min)']],
    [{ errors: [{ message: 'M', title: 'T' }] }, ['M']],
    [{ errors: [{ title: 'T' }] }, ['T']],
    [{ errors: [{ code: 'min' }] }, ['min']],
    [{ errors: [{ field: 'minutes' }] }, ['minutes: ']],
    [{ errors: [{}, null, 'plain', 7] }, ['plain', '7']],
    [
      { errors: { minutes: 'Too few.', date: ['Early.', { message: 'Odd.', field: 'other' }] } },
      ['minutes: Too few.', 'date: Early.', 'date: Odd.'],
    ],
    [{ violations: ['a'] }, ['a']],
    [{ invalid_params: ['b'] }, ['b']],
    [{ 'invalid-params': ['c'] }, ['c']],
    [{ errors: 'none', violations: ['a'] }, ['a']],
    [{ conflict: { reason: 'no', from: 3, to: { name: 'Done', id: 9 }, none: {}, list: [1] } }, ['from: 3', 'to: Done 9']],
  ])('become lines of text for %j', (body, lines) => {
    expect(read(body).lines).toEqual(lines);
  });

  it('are cut after twenty lines, with "and more"', () => {
    const texts = (count: number) => Array.from({ length: count }, (_, index) => `wrong ${index}`);
    expect(read({ errors: texts(20) }).lines).toEqual(texts(20));
    expect(read({ errors: texts(21) }).lines).toEqual([...texts(20), 'and more']);
    expect(read({ errors: { minutes: texts(20) } }).lines).toHaveLength(20);
    expect(read({ errors: { minutes: texts(900) } }).lines).toHaveLength(21);
    const ends = (count: number) => Object.fromEntries(texts(count).map((name) => [name, 1]));
    expect(read({ conflict: { reason: 'no', ...ends(21) } }).lines).toEqual(texts(20).map((name) => `${name}: 1`));
  });
});
