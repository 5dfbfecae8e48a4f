import { type OptionValues, parsed, text, toggle } from '../../cli/spec.ts';
import type { Query } from '../../client/cost.ts';
import { UsageError } from '../../errors.ts';
import { BODY_OPTIONS } from '../../records/body-flags.ts';
import type { Needs } from '../../session/context.ts';
import { parseEtag, parseIdempotencyKey } from '../../values/request-headers.ts';
import { maxChangesOption } from '../max-changes-option.ts';

/** The flag for an Idempotency-Key. The service runs two writes with the same key only once (rules 6.10 to 6.13). */
export const KEY_OPTION = {
  idempotencyKey: parsed(
    '--idempotency-key <k>',
    'Send this Idempotency-Key; the service runs one request with this key',
    parseIdempotencyKey,
    {
      group: 'Request',
    },
  ),
} as const;

/** The flags with which a write fails if the record has changed (rules 6.8, 6.9). */
export const CONDITION_OPTIONS = {
  ifMatch: parsed('--if-match <etag>', 'Write only if the record still has this ETag; type its quotes too', parseEtag, {
    group: 'Request',
  }),
  ifUnchanged: toggle('--if-unchanged', 'Write only if nobody changed the record since svc wrote it or read it in full (within a day)', {
    group: 'Request',
  }),
} as const;

type Conditions = OptionValues<typeof CONDITION_OPTIONS>;

export function checkConditions({ ifMatch, ifUnchanged }: Conditions): void {
  if (ifMatch !== undefined && ifUnchanged)
    throw new UsageError('You cannot use --if-match and --if-unchanged together.', { hint: 'Use one of the flags.' });
}

/**
 * Returns the ETag of --if-match, or with --if-unchanged the ETag of the last read. Undefined without these flags. A dry run has a
 * placeholder for the ETag of the last read.
 *
 * @param read The words after `svc` that read the record.
 * @throws UsageError if svc has not read or written the record within the last day, ConflictError if the record differs.
 */
export async function conditionOf(
  context: Needs<'client' | 'globals' | 'seen'>,
  { ifMatch, ifUnchanged }: Conditions,
  path: string,
  read: readonly string[],
): Promise<string | undefined> {
  if (!ifUnchanged) return ifMatch;
  return context.globals.dryRun ? '<its ETag when you saw it>' : (await import('../../records/record-at.ts')).seenEtag(context, path, read);
}

/** The flag that chooses the view of the record in the response to a write (rules 3.2, 3.4). */
export const VIEW_OPTION = {
  view: text('--view <view>', 'Print this view of the record', { group: 'Output', choices: ['summary', 'detail'] }),
} as const;

export const UPDATE_OPTIONS = { ...BODY_OPTIONS, ...VIEW_OPTION, ...CONDITION_OPTIONS } as const;

/** The flags of an update of all records that match a condition. Child records have no such update, because their paths need a parent. */
export const WHERE_OPTIONS = {
  where: text('--where <condition>', 'Update the records that match this SQL condition', {
    group: 'Request',
  }),
  maxChanges: maxChangesOption('With --where, refuse to change more than n records (default: 1000)', { group: 'Request' }),
} as const;

export const CREATE_OPTIONS = { ...BODY_OPTIONS, ...VIEW_OPTION, ...KEY_OPTION } as const;

export function viewQuery({ view }: OptionValues<typeof VIEW_OPTION>): Query {
  return view === undefined ? [] : [['view', view]];
}
