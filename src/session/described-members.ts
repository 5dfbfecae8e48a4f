import type { Field } from '../catalog/define.ts';
import { flagOf } from '../catalog/rules.ts';
import { UsageError } from '../errors.ts';
import type { JsonValue } from '../values/json.ts';
import { ownEntry } from '../values/own-entry.ts';
import { quote } from '../values/quote.ts';
import { nearest } from '../values/suggest.ts';
import type { Needs } from './context.ts';

/** The target of a body, for messages. */
export interface WrittenTo {
  /** `worklogs` or `the move of work-items`. */
  readonly words: string;
  /** The host whose API spec says so. */
  readonly host: string;
  /** Why a body cannot have a field that records have; undefined where it can. */
  readonly whyNot: (name: string) => string | undefined;
}

/**
 * Checks the members of a body against the organisation's API spec. An unknown value of an enum that may grow passes, with one notice.
 *
 * @throws UsageError for an unknown member, or one that nobody can set. UsageError also for a value that the API spec rules out.
 */
export async function checkMembers(
  context: Needs<'tellOnce'>,
  { words, host, whyNot }: WrittenTo,
  fields: Readonly<Record<string, Field>>,
  body: Readonly<Record<string, JsonValue>>,
): Promise<void> {
  for (const [name, value] of Object.entries(body)) {
    const field = ownEntry(fields, name);
    if (field === undefined) {
      const settable = Object.keys(fields).filter((other) => whyNot(other) === undefined);
      const near = nearest(name, settable);
      throw new UsageError(`${words} have no field ${quote(name)} at ${host}.`, {
        hint: `${near === undefined ? '' : `Did you mean ${near}? `}What can be set: ${settable.join(', ') || 'nothing'}. After a change of the service: svc schema import`,
      });
    }
    const why = whyNot(name);
    if (why !== undefined)
      throw new UsageError(`${name} of ${words} cannot be set: ${why}.`, { hint: `Leave it out. ${host} describes it so.` });
    await checkValue(context, words, name, field, value);
  }
}

async function checkValue(context: Needs<'tellOnce'>, words: string, name: string, field: Field, value: JsonValue): Promise<void> {
  if (value === null) {
    if (field.nullable || field.kind === 'json') return;
    throw new UsageError(`${name} of ${words} cannot be empty.`, { hint: `Give a value: --${flagOf(name, field)}` });
  }
  if (field.values === undefined || field.kind === 'json') return;
  const typed = typeof value === 'string' ? value : String(value);
  if (field.values.includes(typed)) return;
  const known = field.values.join(', ');
  if (field.extensible)
    return context.tellOnce(`${name}: ${quote(typed)} is not among the values that are described (${known}); it is sent as it is.`);
  const near = nearest(typed, field.values);
  throw new UsageError(`${name} of ${words} cannot be ${quote(typed)}.`, {
    hint: `${near === undefined ? '' : `Did you mean ${near}? `}It is one of: ${known}.`,
  });
}
