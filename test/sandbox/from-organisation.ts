import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { RecordsReport } from '../../src/commands/sandbox-from.ts';
import type { Result, SignedIn } from '../support/svc.ts';

export interface Rehearsal {
  readonly host: string;
  readonly origin: string;
  readonly control: string;
  readonly token: string;
  readonly report: RecordsReport;
  readonly stdout: string;
  /** Runs svc in the sandbox, with its token. */
  svc(line: string): Promise<Result>;
  /** Sends a request to the sandbox, with its token. */
  get(path: string): Promise<{ readonly status: number; readonly body: Fields }>;
}

export type Fields = Record<string, unknown> & { readonly id: number };

/** Runs `svc sandbox --from` the organisation, does something in the sandbox, and then presses Ctrl-C. */
export async function rehearse(here: SignedIn, flags: readonly string[], use: (sandbox: Rehearsal) => Promise<void>): Promise<Result> {
  const interrupt = new AbortController();
  let used: Promise<void> | undefined;
  const result = await here.svc(['sandbox', '--from', here.host, '--limits', 'off', '--output', 'json', ...flags], {
    signal: interrupt.signal,
    onStdout: (stdout) => {
      const { host, origin, control_url: control, from: report, tokens } = JSON.parse(stdout);
      const token = tokens[0].value;
      const headers = { authorization: `Bearer ${token}` };
      const get: Rehearsal['get'] = async (path) => {
        const answer = await fetch(`${origin}/api/v2${path}`, { headers });
        return { status: answer.status, body: (await answer.json()) as Fields };
      };
      const svc: Rehearsal['svc'] = (line) => here.svc([...line.split(' '), '--host', host], { env: { SVC_TOKEN: token } });
      used = use({ host, origin, control, token, report, stdout, svc, get }).finally(() => interrupt.abort());
    },
  });
  await used;
  if (used === undefined) throw new Error(result.stderr);
  return result;
}

export function databaseFile({ home }: SignedIn): string {
  const directory = join(home, '.local/state/svc/mirror');
  return join(directory, readdirSync(directory).find((name) => name.startsWith('127.0.0.1') && name.endsWith('.sqlite')) ?? '');
}

/** Returns all records of a local database by table, in id order. The addresses in the records have the host `organisation`. */
export function recordsIn(path: string, origin: string): Map<string, Fields[]> {
  const database = new DatabaseSync(path, { readOnly: true });
  const tables = database.prepare('SELECT noun, "table" FROM svc_tables ORDER BY noun').all();
  const found = tables.map((table): [string, Fields[]] => {
    const rows = database.prepare(`SELECT record FROM "svc_record_${table['table']}" ORDER BY id`).all();
    return [String(table['noun']), rows.map(({ record }) => JSON.parse(String(record).replaceAll(origin, 'https://organisation')))];
  });
  database.close();
  return new Map(found);
}
