import type { Field, FieldKind, Resource } from '../catalog/define.ts';
import { flagOf, writableFields } from '../catalog/rules.ts';
import { type FlagType, type Options, type OptionValues, repeated, text, toggle } from '../cli/spec.ts';
import { spelled } from '../cli/tool-aliases.ts';
import { boundsText } from '../values/scalars.ts';
import type { ValueOf } from './kinds.ts';

export const BODY_OPTIONS = {
  field: repeated('-F, --field <name=value>', 'Set any field; null clears the field, @file reads a file', {
    group: 'Fields',
  }),
  rawField: repeated('-f, --raw-field <name=value>', 'Set any field to this string, without conversion', { group: 'Fields' }),
  data: text('--data <json>', 'Send this JSON as the body; @file reads a file, - standard input', {
    type: 'json',
    group: 'Fields',
    completes: 'at-file',
  }),
} as const satisfies Options;

export type BodyOptions = OptionValues<typeof BODY_OPTIONS>;

export function fieldOptions(resource: Resource, operation: 'create' | 'update'): Options {
  const options: Record<string, Options[string]> = {};
  for (const [name, field] of writableFields(resource, operation)) {
    const flag = flagOf(name, field);
    const summary = helpOf(name, field, operation);
    if (field.kind === 'boolean') {
      options[name] = toggle(spelled(flag), summary, { group: 'Fields' });
      options[`no_${name}`] = toggle(`--no-${flag}`, `Turn --${flag} off`, { group: 'Fields', hidden: true });
    } else if (field.items !== undefined)
      options[name] = repeated(`${spelled(flag)} <${placeholderOf(field)}>`, summary, {
        group: 'Fields',
        ...typeOf({ ...field, kind: field.items }),
      });
    else options[name] = text(`${spelled(flag)} <${placeholderOf(field)}>`, summary, { group: 'Fields', ...typeOf(field) });
    if (field.kind === 'html')
      options['html'] = toggle('--html', `Send the ${flag} as HTML, without conversion from Markdown`, { group: 'Fields' });
  }
  return options;
}

function helpOf(name: string, field: Field, operation: 'create' | 'update'): string {
  const { kind, values, required, assumed, summary } = field;
  const bounds = boundsText(field);
  const what = flagSummary(summary ?? (kind === 'boolean' ? `Set ${wordsOf(name)} to true` : `The ${wordsOf(name)}`));
  // The summary names a default, but an update has none.
  const text = operation === 'create' ? what : what.replace(/ \(default: .*\)$/, '');
  const markup = kind === 'html' ? ', in Markdown' : '';
  return `${text}${markup}${bounds === '' ? '' : `, ${bounds}`}${values === undefined ? '' : `, such as ${values.join(', ')}`}${required && !assumed && operation === 'create' ? ' (required)' : ''}`;
}

/** Converts the summary of a value to the summary of its flag: `Set the due date` for `The due date`. */
export function flagSummary(summary: string): string {
  return summary.replace(/^The /, 'Set the ');
}

/** Returns the name of a field as a heading: `Due date` for `due_date`. */
export function titleOf(name: string): string {
  return wordsOf(name).replace(/^./, (letter) => letter.toUpperCase());
}

function wordsOf(name: string): string {
  return name.replace(/^is_|_id$/g, '').replaceAll('_', ' ');
}

/** The flag types of the field kinds that have another name than their type. Undefined means the default type of a flag. */
const FLAG_TYPES: Readonly<Partial<Record<FieldKind, FlagType | undefined>>> = {
  number: 'decimal',
  coordinate: 'decimal',
  'span-end': 'date-time',
  boolean: undefined,
  html: undefined,
  markdown: undefined,
  enum: undefined,
  string: undefined,
};

export function typeOf({ kind, ref }: ValueOf): { readonly type?: FlagType } {
  if (kind === 'id') return { type: ref === undefined ? 'id' : 'id-or-name' };
  const type = kind in FLAG_TYPES ? FLAG_TYPES[kind] : (kind as FlagType);
  return type === undefined ? {} : { type };
}

/** The placeholders of field kinds, if the name of the kind is not the placeholder. */
const PLACEHOLDERS: Readonly<Partial<Record<FieldKind, string>>> = {
  'work-item': 'id|key',
  user: 'id|me|name',
  html: 'string|@file',
  markdown: 'string|@file',
  string: 'string',
  enum: 'value',
  percentage: '0-100',
  money: 'amount',
  decimal: 'number',
  coordinate: 'degrees',
  integer: 'n',
  time: 'hh:mm',
  'span-end': 'date-time',
};

export function placeholderOf({ kind, ref, items }: ValueOf): string {
  if (items !== undefined && items !== 'json') return `${placeholderOf({ kind: items, ...(ref && { ref }) })},…`;
  if (kind === 'id') return ref === undefined ? 'id' : 'id|name';
  return PLACEHOLDERS[kind] ?? kind;
}
