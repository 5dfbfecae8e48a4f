import type { Field, FieldKind } from '../catalog/define.ts';
import { isNameable, singularName } from '../catalog/rules.ts';
import { ForbiddenError, NotFoundError, RefusedError, UsageError } from '../errors.ts';
import type { Needs } from '../session/context.ts';
import type { JsonValue } from '../values/json.ts';
import { titleOf } from './body-flags.ts';
import { type Picked, pickRecord } from './find-by-name.ts';
import { type ReadingValues, readBodyValue } from './kinds.ts';

export interface FieldAnswer {
  readonly value: JsonValue;
  readonly word: string;
}

/**
 * Asks the user for the value of a field. The user picks a related record or an enum value, and answers yes or no for a boolean. Other
 * values have the same form as the flag.
 * @returns undefined if the user leaves out an optional value.
 */
export async function askField(
  context: Needs<ReadingValues>,
  name: string,
  field: Field,
  { optional }: { readonly optional: boolean },
): Promise<FieldAnswer | undefined> {
  const title = titleOf(name);
  if (field.kind === 'boolean') {
    const value = await context.prompts.confirm(`${title}?`, context.signal);
    return { value, word: String(value) };
  }
  if (field.kind === 'enum' && field.values !== undefined) {
    const choices = [...field.values.map((value) => ({ name: value, value })), ...(optional ? [LEFT_OUT] : [])];
    const value = await context.prompts.pick(`${title}:`, choices, context.signal);
    return value === LEFT_OUT.value ? undefined : { value, word: value };
  }
  const picked = await askReference(context, field, optional);
  if (picked === 'none') return undefined;
  if (picked !== undefined) return { value: picked.id, word: picked.word };
  const hint = [TYPED[field.kind], optional ? 'Enter leaves the field out' : undefined].filter((part) => part !== undefined).join('; ');
  return askLine(context, `${title}${hint === '' ? '' : ` (${hint})`}:`, optional, (text) => readBodyValue(context, field, text));
}

export async function askLine(
  context: Needs<ReadingValues>,
  question: string,
  optional: boolean,
  read: (text: string) => Promise<JsonValue>,
): Promise<FieldAnswer | undefined> {
  for (;;) {
    const text = (await context.prompts.line(question, context.signal)).trim();
    if (text === '') {
      if (optional) return undefined;
      await context.notice('Type an answer. Ctrl-C ends the command without a write.');
      continue;
    }
    try {
      return { value: await read(text), word: text };
    } catch (error) {
      if (!(error instanceof UsageError) && !(error instanceof NotFoundError)) throw error;
      await context.notice([error.message, error.hint].filter((part) => part !== undefined).join(' '));
    }
  }
}

async function askReference(context: Needs<ReadingValues>, field: Field, optional: boolean): Promise<Picked | 'none' | undefined> {
  const refers = field.kind === 'id' || field.kind === 'user' || field.kind === 'work-item';
  const resource = refers && field.ref !== undefined ? await context.catalog.find(field.ref) : undefined;
  if (resource === undefined || !isNameable(resource)) return undefined;
  const none = optional ? LEFT_OUT.name : undefined;
  try {
    return await pickRecord(context, resource, { question: `Which ${singularName(resource)}?`, ...(none !== undefined && { none }) });
  } catch (error) {
    // Users who can’t list the records may still know an id.
    if (error instanceof ForbiddenError || error instanceof NotFoundError || error instanceof RefusedError) return undefined;
    throw error;
  }
}

const LEFT_OUT = { name: 'Leave out this field', value: '' };

const TYPED: Readonly<Partial<Record<FieldKind, string>>> = {
  id: 'id',
  user: 'me, name or id',
  'work-item': 'key or id',
  date: 'such as 2026-03-31, today, monday, +1w',
  'date-time': 'such as 2026-03-31 14:00, or tomorrow',
  'span-end': 'such as 2026-03-31 14:00, or tomorrow',
  time: 'such as 09:00',
  duration: 'such as 1h30, 90 or 1:30',
  money: 'such as 12.50',
  percentage: '0 to 100',
  json: 'JSON',
};
