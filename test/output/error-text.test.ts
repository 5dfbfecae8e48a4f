import { describe, expect, test } from 'vitest';
import {
  ConflictError,
  DeclinedError,
  ForbiddenError,
  InterruptedError,
  NotFoundError,
  PartialError,
  RateLimitError,
  RefusedError,
  SignInError,
  SvcError,
  UnavailableError,
  UsageError,
} from '../../src/errors.ts';
import { renderError } from '../../src/output/error-text.ts';

const refused = new RefusedError('The service refused the\n date.', {
  hint: 'Write 2025-03-31.',
  details: {
    status: 422,
    type: 'validation-failed',
    code: 'date_format',
    parameter: 'date\u001b[2J',
    request_id: '01JABC',
    request: 'POST https://acme.example.com/api/v2/worklogs',
    lines: ['date: bad\u202e', 'minutes: missing'],
    resume: 'svc worklogs import file.csv',
  },
});

describe('an error as text', () => {
  const text = (error: unknown, color = false) => renderError(error, { format: 'text', color });

  test('has the failure, the next step and the message of the service, without escape codes', () => {
    expect(text(refused)).toBe(
      [
        'svc: The service refused the  date.',
        '  Write 2025-03-31.',
        '  - date: bad\\u202e',
        '  - minutes: missing',
        '  Resume with: svc worklogs import file.csv',
        '  POST https://acme.example.com/api/v2/worklogs',
        '  validation-failed (422), code date_format, parameter date␛[2J, request 01JABC',
        '',
      ].join('\n'),
    );
  });

  test('has line breaks between words at a terminal, and each command on one line', () => {
    const error = new SvcError('What went wrong takes more than one line of this terminal.', {
      hint: 'What to do about it takes more than one line too.',
      details: { lines: ['a line that may hold a path is left as it is'], resume: 'svc worklogs import a-file-with-a-long-name.csv' },
    });
    expect(renderError(error, { format: 'text', color: false, width: 40 })).toBe(
      [
        'svc: What went wrong takes more than one',
        '     line of this terminal.',
        '  What to do about it takes more than',
        '  one line too.',
        '  - a line that may hold a path is left as it is',
        '  Resume with: svc worklogs import a-file-with-a-long-name.csv',
        '',
      ].join('\n'),
    );
  });

  test('leaves out lines for which svc has no facts', () => {
    expect(text(new UsageError('No.'))).toBe('svc: No.\n');
    expect(text(new RateLimitError('Wait.', { details: { status: 429, retry_after: 0 } }))).toBe(
      'svc: Wait.\n  status 429, retry after 0s\n',
    );
  });

  test('has lines of at least 24 columns on a very narrow terminal', () => {
    const error = new SvcError('A narrow terminal gets it also.', { hint: 'A hint also has such row breaks.' });
    expect(renderError(error, { format: 'text', color: false, width: 9 })).toBe(
      'svc: A narrow terminal gets\n     it also.\n  A hint also has such row\n  breaks.\n',
    );
  });

  test('has colour only when the caller requests colour', () => {
    expect(text(new UsageError('No.'), true)).toBe('\u001b[31msvc:\u001b[0m No.\n');
  });

  test('names a bug in svc for a thrown value that is no error of svc', () => {
    for (const thrown of [new TypeError('x is undefined'), 'a string', undefined, null, { a: 1 }])
      expect(text(thrown)).toMatch(/^svc: Something went wrong inside svc: .*\n {2}Run the command again with --debug/);
  });
});

describe('an error as JSON', () => {
  const json = (error: unknown) => renderError(error, { format: 'json', color: true });

  test('is one object on one line, without colour, with stable names', () => {
    const text = json(refused);
    expect(text).toMatch(/^[^\n\u001b\u202e]*\n$/);
    expect(JSON.parse(text)).toEqual({
      message: 'The service refused the  date.',
      hint: 'Write 2025-03-31.',
      exit_code: 9,
      status: 422,
      type: 'validation-failed',
      code: 'date_format',
      parameter: 'date\u001b[2J',
      request_id: '01JABC',
      request: 'POST https://acme.example.com/api/v2/worklogs',
      lines: ['date: bad\u202e', 'minutes: missing'],
      resume: 'svc worklogs import file.csv',
    });
  });

  test('leaves out unknown members, but always has the message, the hint and the exit code', () => {
    expect(json(new SvcError('No.', { details: { status: undefined } }))).toBe(
      '{"message":"No.","hint":"Run the command again with --debug, which shows each request and its answer.","exit_code":1}\n',
    );
    const classes = [UsageError, NotFoundError, SignInError, ForbiddenError, ConflictError, RateLimitError, UnavailableError, RefusedError];
    const said = [...classes, PartialError, DeclinedError, InterruptedError].map((kind) => JSON.parse(json(new kind('No.', { hint: '' }))));
    for (const error of said) expect(Object.keys(error)).toEqual(['message', 'hint', 'exit_code']);
    for (const error of said) expect(error.hint).toMatch(/^[A-Z].*\.$/);
    expect(said.map((error) => error.exit_code)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 1, 130]);
  });
});
