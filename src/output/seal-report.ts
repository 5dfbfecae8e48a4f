import { formatDuration } from '../values/duration.ts';
import { type JsonObject, scalarText } from '../values/json.ts';
import { counted } from '../values/text.ts';
import { type Report, textTables } from './report.ts';

/**
 * The seal of a month, as in its file. docs/guides/closed-months.md documents each member. The file can come from somebody else, so svc
 * trusts none of its texts.
 */
export type Seal = {
  readonly version: 1;
  readonly host: string;
  /** The month: `2026-10`. */
  readonly month: string;
  /** The id of the user who closed the month. */
  readonly account: number;
  /** True if the seal covers the entries of everybody. False if the seal covers only the entries of `account`. */
  readonly team: boolean;
  readonly people: readonly number[];
  /** The time at which svc began to read the entries, or the time at which the database was complete. */
  readonly read_at: string;
  readonly source: 'service' | 'database';
  readonly signed: boolean;
  /** The `seal_sha256` of the earlier seal of this month. */
  readonly replaces: string | null;
  readonly minutes: number;
  readonly accepted: readonly { readonly finding: string; readonly message: string; readonly reason: string }[];
  readonly fields: readonly string[];
  readonly entries: readonly { readonly id: number; readonly sha256: string }[];
  readonly sha256: string;
  readonly seal_sha256: string;
};

/**
 * The result of comparing a seal with the current entries. `rows` are the differences as in JSON. `effect` has sentences about hours and
 * amounts.
 */
export type ShownDifferences = { readonly rows: readonly JsonObject[]; readonly effect: readonly string[] };

/** The report about a seal. Only a page has the digest of each entry, and `signature`. @param signature A sentence about the signature. */
export function sealReport(seal: Seal, signature: string, differences?: ShownDifferences): Report {
  const { host, month, account, people, entries, minutes } = seal;
  const { rows, effect = [] } = differences ?? {};
  const found = rows?.length === 0 ? ['Every entry matches the seal, and nobody added an entry.'] : effect;
  const text = (row: JsonObject, name: string) => scalarText(row[name]) || 'unknown';
  const person = (row: JsonObject) => scalarText(row['user']) || `user ${text(row, 'user_id')}`;
  return {
    title: `Hours of ${month}, ${host}`,
    nameInTitle: host,
    parts: [
      {
        kind: 'notes',
        lines: [
          `${counted(entries.length, 'entry', 'entries')} of ${counted(people.length, 'person', 'people')}, ${formatDuration(minutes)}.`,
          `User ${account} sealed the month. svc read the entries from the ${seal.source} at ${seal.read_at}.`,
          `SHA-256 of the entries: ${seal.sha256}`,
          `SHA-256 of the seal: ${seal.seal_sha256}`,
        ],
      },
      { kind: 'notes', only: ['page'], lines: [signature] },
      ...textTables(
        'Accepted findings',
        ['Message', 'Finding', 'Reason'],
        seal.accepted.map((each) => [each.message, each.finding, each.reason]),
      ),
      ...textTables(
        'Differences',
        ['Entry', 'Date', 'Person', 'Difference', 'Amount', 'At', 'By'],
        (rows ?? []).map((row) => [
          `${text(row, 'kind')} ${text(row, 'id')}`,
          text(row, 'date'),
          person(row),
          ...['message', 'amount', 'at', 'by'].map((name) => text(row, name)),
        ]),
      ),
      { kind: 'notes', lines: found },
      ...textTables(
        'Entries',
        ['Id', 'SHA-256'],
        entries.map(({ id, sha256 }) => [String(id), sha256]),
      ).map((table) => ({ ...table, only: ['page'] as const })),
    ],
  };
}
