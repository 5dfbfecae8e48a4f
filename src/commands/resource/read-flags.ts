import type { Resource, Shortcut } from '../../catalog/define.ts';
import { takes } from '../../catalog/rules.ts';
import { type FlagType, type Options, type OptionValues, parsed, repeated, text, toggle } from '../../cli/spec.ts';
import { spelled } from '../../cli/tool-aliases.ts';
import { includeHelp } from '../../cli/words.ts';
import { placeholderOf, typeOf } from '../../records/body-flags.ts';
import type { ValueOf } from '../../records/kinds.ts';
import { parseInteger } from '../../values/scalars.ts';

const COMMON = {
  filter: repeated('--filter <field[.op]=value>', 'Filter by any field; operators: gte, lte, lt, in, null', { group: 'Filter' }),
  search: text('--search <string>', 'Show only records with this text (2 more units)', { group: 'Filter' }),
  trashed: text('--trashed <which>', 'Select deleted records (the service does not document the values)', {
    group: 'Filter',
  }),
  sort: text('--sort <field>', 'Sort by id or another field, or by -field in reverse (the service documents id only)', { group: 'Output' }),
  include: text('--include <a,b>', 'Add related records', { group: 'Output' }),
  columns: text('--columns <a,b>', 'Show these columns: headings, fields or relations; the value ids replaces names with ids', {
    group: 'Output',
  }),
  view: text('--view <view>', 'Read this view of each record', { group: 'Output', choices: ['summary', 'detail'] }),
  limit: parsed('-L, --limit <n>', 'Return at most this many records (default: all)', (value) => parseInteger(value, { min: 1 }), {
    type: 'integer',
    group: 'Output',
  }),
  perPage: parsed('--per-page <n>', 'Read this many records per request (default: the maximum)', parseInteger, {
    type: 'integer',
    group: 'Request',
  }),
  page: parsed('--page <n>', 'Start at this page number', parseInteger, { type: 'integer', group: 'Request' }),
  cursor: text('--cursor <cursor>', 'Continue a list at this cursor', { group: 'Request' }),
  withTotal: toggle('--with-total', 'Print the number of records too (2 more units)', { group: 'Request' }),
} as const satisfies Options;

export type ListOptions = OptionValues<typeof COMMON>;

export function shortcutOptions(resource: Resource): Options {
  return Object.fromEntries(
    (resource.shortcuts ?? []).map((shortcut) => {
      const { flag, summary } = shortcut;
      const taken = takenBy(resource, shortcut);
      if (taken === undefined) return [flag, toggle(`--${flag}`, summary, { group: 'Filter' })];
      return [flag, text(`${spelled(flag)} <${taken.placeholder}>`, summary, { group: 'Filter', ...taken.type })];
    }),
  );
}

/** Returns the placeholder and the type of a filter flag’s value. Returns undefined for a switch. */
function takenBy(
  resource: Resource,
  { takes, sets }: Shortcut,
): { readonly placeholder: string; readonly type: { readonly type?: FlagType } } | undefined {
  if (takes === undefined) return undefined;
  if (takes === 'year') return { placeholder: 'yyyy', type: { type: 'year' } };
  if (takes === 'workflow-status') return { placeholder: 'id|name', type: { type: 'id-or-name' } };
  const ref = takes === 'id' ? resource.fields[sets[0]?.field ?? '']?.ref : undefined;
  const value: ValueOf = { kind: takes, ...(ref !== undefined && { ref }) };
  return { placeholder: placeholderOf(value), type: typeOf(value) };
}

/** Returns the flags of `list`. svc hides unsupported flags but parses them, so that an error can explain them (exit 2). */
export function listOptions(resource: Resource): typeof COMMON {
  const hidden = { hidden: true } as const;
  const { described } = resource;
  return {
    ...COMMON,
    filter: { ...COMMON.filter, summary: filterHelp(resource) },
    ...(described !== undefined && {
      sort: { ...COMMON.sort, summary: `Sort by ${namesOr(described.sorts, 'a field')}, or by -field in reverse` },
    }),
    include: { ...COMMON.include, ...includeHelp(resource) },
    search: { ...COMMON.search, ...(!takes(resource, 'search') && hidden) },
    trashed: { ...COMMON.trashed, ...(!takes(resource, 'trashed') && hidden) },
    page: { ...COMMON.page, ...(!resource.counted && hidden) },
    withTotal: { ...COMMON.withTotal, ...(resource.counted && { summary: 'Print the number of records too' }) },
  };
}

/** Returns the help of `--filter`: the filters that svc knows, and the operators. */
function filterHelp({ filters, described, parametersComplete }: Resource): string {
  const names = namesOr(Object.keys(filters), 'nothing');
  if (described === undefined)
    return `Filter by ${parametersComplete === true ? '' : 'any field, such as '}${names}; operators: gte, lte, lt, in, null`;
  const operators = [...new Set(Object.values(filters).flatMap((filter) => filter.operators))];
  return `Filter by ${names}${operators.length === 0 ? '' : `; operators: ${operators.join(', ')}`}`;
}

function namesOr(names: readonly string[] | undefined, none: string): string {
  return names === undefined || names.length === 0 ? none : names.join(', ');
}

/** Splits a comma-separated list of names, without duplicates. The service would charge twice for a repeated relation (rule 15.24). */
export function splitNames(text: string | undefined): string[] {
  const names = (text ?? '').split(',').map((name) => name.trim());
  return [...new Set(names)].filter((name) => name !== '');
}

export function getOptions(resource: Resource) {
  const hidden = resource.fields['web_url'] === undefined ? { hidden: true as const } : {};
  return {
    web: toggle('--web', 'Open the page of the record in the browser', hidden),
    print: toggle('--print', 'Print the address of the page (with --web)', hidden),
    comments: toggle('--comments', 'Add the comments and the subtasks', hasComments(resource) ? {} : { hidden: true }),
    all: toggle('--all', 'Show every field, including empty and technical fields', { group: 'Output' }),
    include: { ...text('--include <a,b>', '', { group: 'Output' }), ...includeHelp(resource) },
    view: text('--view <view>', 'Read this view of the record', { group: 'Output', choices: ['summary', 'detail'] }),
    withEtag: toggle('--with-etag', 'Add the ETag as etag, for --if-match', { group: 'Output' }),
  };
}

export function hasComments({ nested }: Resource): boolean {
  return nested?.some(({ noun }) => noun === 'comments') === true;
}
