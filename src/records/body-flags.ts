import type { Field, Resource } from '../catalog/define.ts';
import { flagOf, writableFields } from '../catalog/rules.ts';
import { spelled } from '../cli/habits.ts';
import { type FlagType, type Options, type OptionValues, repeated, text, toggle } from '../cli/spec.ts';
import { boundsText } from '../values/scalars.ts';
import type { ValueOf } from './kinds.ts';

/** The flags for any field, known to the catalog or not. */
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

/** The values of {@link BODY_OPTIONS}. */
export type BodyOptions = OptionValues<typeof BODY_OPTIONS>;

/** A flag for each field that the catalog says can be written. */
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

/** The verb phrase of a field’s flag: `Set the due date (required)`. */
function helpOf(name: string, field: Field, operation: 'create' | 'update'): string {
  const { kind, values, required, assumed, summary } = field;
  const bounds = boundsText(field);
  const what = flagSummary(summary ?? (kind === 'boolean' ? `Set ${wordsOf(name)} to true` : `The ${wordsOf(name)}`));
  // A default fills what a create leaves out; an update changes nothing then.
  const said = operation === 'create' ? what : what.replace(/ \(default: .*\)$/, '');
  const markup = kind === 'html' ? ', in Markdown' : '';
  return `${said}${markup}${bounds === '' ? '' : `, ${bounds}`}${values === undefined ? '' : `, such as ${values.join(', ')}`}${required && !assumed && operation === 'create' ? ' (required)' : ''}`;
}

/** A flag's summary from that of its value: `Set the due date` for `The due date`. */
export function flagSummary(summary: string): string {
  return summary.replace(/^The /, 'Set the ');
}

/** A field in words, for a line of its own: `Due date`. */
export function titleOf(name: string): string {
  return wordsOf(name).replace(/^./, (letter) => letter.toUpperCase());
}

function wordsOf(name: string): string {
  return name.replace(/^is_|_id$/g, '').replaceAll('_', ' ');
}

/** The type of the flag of a field or filter. */
export function typeOf({ kind, ref }: ValueOf): { readonly type?: FlagType } {
  switch (kind) {
    case 'id':
      return { type: ref === undefined ? 'id' : 'id-or-name' };
    case 'number':
    case 'coordinate':
      return { type: 'decimal' };
    case 'span-end':
      return { type: 'date-time' };
    case 'boolean':
    case 'html':
    case 'markdown':
    case 'enum':
    case 'string':
      return {};
    default:
      return { type: kind };
  }
}

/** The placeholder behind a flag in help. */
export function placeholderOf({ items, ...field }: ValueOf): string {
  if (items !== undefined && items !== 'json') return `${placeholderOf({ ...field, kind: items })},…`;
  switch (field.kind) {
    case 'work-item':
      return 'id|key';
    case 'id':
      return field.ref === undefined ? 'id' : 'id|name';
    case 'user':
      return 'id|me|name';
    case 'html':
    case 'markdown':
      return 'text|@file';
    case 'string':
      return 'text';
    case 'enum':
      return 'value';
    case 'percentage':
      return '0-100';
    case 'money':
      return 'amount';
    case 'decimal':
    case 'number':
      return 'number';
    case 'coordinate':
      return 'degrees';
    case 'integer':
      return 'n';
    case 'time':
      return 'hh:mm';
    case 'span-end':
      return 'date-time';
    default:
      return field.kind;
  }
}
