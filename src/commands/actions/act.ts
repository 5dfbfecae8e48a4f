import type { Resource } from '../../catalog/define.ts';
import type { OptionValues } from '../../cli/spec.ts';
import { itemPath } from '../../records/paths.ts';
import { readRecord } from '../../records/read-record.ts';
import { currentEtag } from '../../records/record-at.ts';
import { describeWrite, sendWrite } from '../../records/send-write.ts';
import type { Needs } from '../../session/context.ts';
import { printRecord } from '../../session/print.ts';
import type { JsonObject } from '../../values/json.ts';
import { CONDITION_OPTIONS, checkConditions, KEY_OPTION, VIEW_OPTION, viewQuery } from '../nouns/write-flags.ts';
import { type Confirming, printWritten } from '../nouns/written.ts';

/** The flags of every action. */
export const ACTION_OPTIONS = {
  ...VIEW_OPTION,
  ...CONDITION_OPTIONS,
  ...KEY_OPTION,
} as const;

export type ActionOptions = OptionValues<typeof ACTION_OPTIONS>;

export interface RecordAction {
  readonly resource: Resource;
  /** Its id or key, as typed. */
  readonly id: string;
  /** The last part of the path: `transition`. */
  readonly name: string;
  readonly body: JsonObject;
  readonly options: ActionOptions;
  /** What it did, for a person. */
  readonly line: (record: JsonObject) => string;
  /** The ETag to send, where the record was read already. */
  readonly etag?: string | undefined;
}

/** Checks what an action depends on, before anything is asked. @throws UsageError */
export function checkAction({ ifMatch, ifUnchanged }: ActionOptions): void {
  checkConditions({ ifMatch, ifUnchanged });
}

/** Sends an action of one record, `POST <item>/actions/<name>`, and prints the record it answers with. */
export async function act(
  context: Needs<Confirming | 'host'>,
  { resource, id, name, body, options, line, etag }: RecordAction,
): Promise<void> {
  const item = itemPath(resource, id);
  const write = {
    method: 'POST',
    path: `${item}/actions/${name}`,
    query: viewQuery(options),
    body,
    idempotencyKey: options.idempotencyKey,
  } as const;
  if (context.globals.dryRun) {
    const ifMatch = options.ifUnchanged ? '<its ETag now>' : options.ifMatch;
    return printRecord(context, await describeWrite(context, resource, { ...write, ifMatch }));
  }
  const ifMatch = options.ifUnchanged ? (etag ?? (await currentEtag(context, item))) : options.ifMatch;
  const record = readRecord(await sendWrite(context, { ...write, ifMatch }));
  await printWritten(context, { resource, record, line: line(record) });
}
