import { shellCommand } from '../cli/shell-word.ts';
import { writtenBody } from '../journal/body-of.ts';
import type { JournalEntry } from '../journal/entry.ts';
import { stringifyJson } from '../values/json.ts';
import { utcSeconds } from '../values/utc-seconds.ts';

/** In a line, for a person: `add 2026-06-01, 90, Review` of a create, `change 5902: minutes 60` of an update. */
export function entrySummary(entry: Pick<JournalEntry, 'body' | 'method' | 'path'>): string {
  const fields = Object.entries(writtenBody(entry) ?? {}).map(
    ([name, value]) => `${name} ${typeof value === 'string' ? value : stringifyJson(value)}`,
  );
  return [`${entry.method} ${entry.path}`, fields.join(', ')]
    .filter((part) => part !== '')
    .join(': ')
    .slice(0, 160);
}

/** The same as somebody typed it; of a bulk run, the command that made it. */
export function typedLineOf({ command }: Pick<JournalEntry, 'command'>): string {
  return shellCommand(command);
}

/** A moment as the service writes one. */
export function serviceMoment(ms: number): string {
  return utcSeconds(ms);
}
