import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ORGANISATIONS, STORIES, type Story } from './stories.ts';
import { WEEK, WEEK_SERVICES, WEEK_WIDTHS, weekFile } from './week.ts';

/** All that somebody types in a story: command lines and answers. */
function typedIn({ steps }: Story): string[] {
  return steps.flatMap((step) =>
    typeof step === 'string' ? [step] : [step.type, ...step.replies.flatMap(({ type }) => (type === undefined ? [] : [type]))],
  );
}

/** Words that look like an id: digits alone, after a `#`, a `:` or a `=` too; a UUID. What stands in quotes is a text. */
function idsIn(line: string): string[] {
  return line
    .replace(/"[^"]*"|'[^']*'/g, '…')
    .split(/[\s,]+/)
    .filter((word) => /(?:^|[#:=])\d+$|[0-9a-f]{8}-[0-9a-f]{4}-/i.test(word));
}

describe('the stories', () => {
  it.each(STORIES)('contain no typed id in "$title"', (story) => {
    expect(typedIn(story).flatMap(idsIn)).toEqual([]);
  });

  it('contain no typed id in the week, except the number of a write or of rows', () => {
    const lines = WEEK.map(({ type }) => type.replace(/(?<=svc undo|-L) \d+|\d,\dh/g, ''));
    expect(lines.flatMap(idsIn)).toEqual([]);
  });

  it('fail the check when a person types an id', () => {
    const lines = ['svc worklogs get 12', 'svc timers start project:12', 'svc worklogs list --project=12', 'svc projects get 3,4', '#12'];
    expect(lines.map((line) => idsIn(line).length)).toEqual([1, 1, 1, 2, 1]);
    expect(idsIn('svc worklogs add 1h30 ABC-12 "Room 12" --date 2026-03-18 --host 127.0.0.1')).toEqual([]);
  });

  it('have screens in two sizes; the screens of the week are the only other files', async () => {
    const kept = await readdir(fileURLToPath(new URL('screens', import.meta.url)));
    const weeks = WEEK_SERVICES.flatMap((service) => WEEK_WIDTHS.map((width) => weekFile(service, width)));
    expect(kept.sort()).toEqual([...STORIES.flatMap(({ name }) => [`${name}.120x40.txt`, `${name}.80x24.txt`]), ...weeks].sort());
  });

  it('use organisation names as long as the address of a sandbox, so that no column moves', () => {
    expect(ORGANISATIONS.map((name) => name.length)).toEqual(ORGANISATIONS.map(() => '127.0.0.1:54321'.length));
  });
});
