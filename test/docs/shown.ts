import { expect } from 'vitest';
import type { Result } from '../support/svc.ts';
import { withoutRemark } from './example-shell.ts';

/** The additional promises of a page about a line: the line, and the expected stdout. */
const PROMISED: readonly (readonly [line: RegExp, stdout: RegExp])[] = [
  [/jq -r \.message error\.json$/, /^There is no worklog 999999999\.\n$/],
  [/jq -r \.exit_code error\.json$/, /^3\n$/],
  [/; else echo "exit \$\?"; fi$/, /^exit 3\n$/],
  [/^svc me --jq \.name$/, /^Sanne de Vries\n$/],
  [/^svc auth status --jq '\.\[0\]\.scopes'$/, /^api:read\n$/],
  [/^svc config get timezone$/, /^Europe\/Amsterdam\n$/],
  [/--minutes 30 --jq \.minutes$/, /^30\n$/],
  [/--jq 'map\(\.minutes\) \| add \/ 60'$/, /^\d+(\.\d+)?\n$/],
  [/--output ids$/, /^(\d+\n)+$/],
  [/--output ids \| wc -l$/, /^\s*[1-9]\d*\n$/],
  [/--output ndjson$/, /^(\{.*\}\n)+$/],
  [/--output yaml$/, /^id: \d+\n/],
  [/--output tsv --fields (\S+)$/, /^\w+(\t\w+)*\n/],
];

/** Matches commands that print records, in JSON unless the line names a format. */
const RECORDS = /^svc (?:[a-z-]+ (?:list|get|add|create|update|transition|move|status)|me|week|report|limits|doctor|resources)\b/;
const OTHERWISE = /\s(?:-o|--output|--jq|--html|--remind|--dry-run|--help|-h)\b|[|<>]/;

/** Checks the output of a line: the promises of the page, and the rules for every command. */
export function checkShown(line: string, { code, stdout, stderr }: Result, where: string): void {
  const command = withoutRemark(line);
  // jq and JavaScript print a missing member like this.
  expect(stdout, where).not.toMatch(/^(?:null|undefined)$|\[object Object\]|\bNaN\b/m);
  if (code !== 0) return;
  if (!command.includes('--debug')) expect(stderr, where).not.toMatch(/^svc: /m);
  for (const [pattern, promised] of PROMISED) if (pattern.test(command)) expect(stdout, where).toMatch(promised);
  if (/\s--jq\s/.test(command) && !command.includes('>')) expect(stdout, where).not.toBe('');
  if (!RECORDS.test(command) || OTHERWISE.test(command)) return;
  const records: unknown[] = [JSON.parse(stdout)].flat();
  expect(records.length, where).toBeGreaterThan(0);
  const fields = /--fields (\S+)/.exec(command)?.[1]?.split(',');
  if (fields !== undefined) for (const record of records) expect(Object.keys(Object(record)), where).toEqual(fields);
}
