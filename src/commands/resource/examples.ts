import type { Field, Resource } from '../../catalog/define.ts';
import { flagOf, singularName, verbsOf, writableFields } from '../../catalog/rules.ts';
import type { Example } from '../../cli/spec.ts';
import { commandWords, pluralOf, withArticle } from '../../cli/words.ts';

/** Returns the catalog’s examples of a command. If the catalog has fewer than two, svc generates more. */
export function examplesOf(resource: Resource, command: string): readonly Example[] {
  const own = ownExamples(resource).filter((example) => example.command === command);
  const [only] = own;
  // If a write has one example, the second example is the same command with --dry-run.
  const tried = only === undefined || command === 'list' || command === 'get' ? [] : [{ args: `${only.args} --dry-run`, does: DRY_RUN }];
  const more = tried.length > 0 ? tried : makeExamples(resource, command).filter(({ args }) => args !== only?.args);
  return [...own, ...more].slice(0, Math.max(own.length, 2)).map(({ args, does }) => ({ args, does }));
}

export function groupExamples(resource: Resource): readonly Example[] {
  const own = ownExamples(resource);
  const [reading] = own.filter(({ command }) => command === 'list');
  const [change] = own.filter(({ command }) => command !== 'list' && command !== 'get');
  const chosen = [reading, change].filter((example) => example !== undefined);
  const others = own.filter((example) => !chosen.includes(example));
  return [...chosen, ...others, ...makeExamples(resource, verbsOf(resource).includes('get') ? 'get' : (verbsOf(resource)[0] ?? ''))]
    .slice(0, 2)
    .map(({ args, does }) => ({ args, does }));
}

const DRY_RUN = 'Show what svc would send';

interface CommandExample extends Example {
  readonly command: string;
}

function ownExamples(resource: Resource): CommandExample[] {
  return (resource.examples ?? []).map(([command, args, does]) => ({ command, args: `${commandWords(resource, command)} ${args}`, does }));
}

function makeExamples(resource: Resource, command: string): Example[] {
  const { parent } = resource;
  const above = parent === undefined ? '' : parent.keyed ? 'ABC-12 ' : '7 ';
  const at = (rest: string) => `${commandWords(resource, command)} ${above}${rest}`;
  const id = resource.keyed ? 'ABC-12' : '31';
  const thing = singularName(resource);
  const column = resource.columns.find((name) => name !== 'id') ?? 'id';
  switch (command) {
    case 'list':
      return [
        { args: at('--limit 10'), does: `List the first ten ${pluralOf(resource)}` },
        { args: at('--output csv'), does: 'Write the list for a spreadsheet' },
      ];
    case 'get':
      return [
        { args: at(id), does: `Show one ${thing}` },
        { args: at(`${id} --jq .${column}`), does: 'Show one field' },
      ];
    case 'create': {
      const flags = createFlags(resource) || '-f name=value';
      return [
        { args: at(flags), does: `Create ${withArticle(thing)}` },
        { args: at(`${flags} --dry-run`), does: DRY_RUN },
      ];
    }
    case 'update': {
      const [change] = sampleFlags(writableFields(resource, 'update'));
      return [
        { args: at(`${id} ${change ?? '-f name=value'}`), does: 'Change one field' },
        {
          args: at(`${id} ${change ?? '-f name=value'} --if-unchanged`),
          does: 'Change one field, unless somebody changed the record since you read it',
        },
      ];
    }
    case 'edit':
      return [
        { args: at(id), does: 'Open the record in your editor, and send your changes' },
        { args: `${at(id)} --dry-run`, does: DRY_RUN },
      ];
    case 'delete':
      return [
        { args: at(id), does: 'Delete the record, after a question' },
        {
          args: at(resource.keyed ? 'ABC-12 ABC-13 --yes' : '31 32 33 --yes'),
          does: 'Delete several records without a question, in a script',
        },
      ];
    case 'import':
      return [
        { args: at(`${resource.noun}.csv --dry-run`), does: DRY_RUN },
        { args: at(`${resource.noun}.csv`), does: `Create ${withArticle(thing)} for each row` },
      ];
    default:
      return [];
  }
}

/** Returns sample flags for the required fields of a create, or otherwise for the first writable field. */
function createFlags(resource: Resource): string {
  const fields = writableFields(resource, 'create');
  const required = fields.filter(([, field]) => field.required);
  return sampleFlags(required.length > 0 ? required : fields.slice(0, 1)).join(' ');
}

function sampleFlags(fields: readonly (readonly [string, Field])[]): string[] {
  return fields.map(([name, field]) => flagSample(name, field));
}

export function flagSample(name: string, field: Field): string {
  const flag = `--${flagOf(name, field)}`;
  return field.kind === 'boolean' ? flag : `${flag} ${sampleOf(field)}`;
}

/** Returns a sample value of a field, quoted for a shell. */
function sampleOf(field: Field): string {
  // svc uses a bound other than 0, because the API spec can exclude 0.
  const bound = field.minimum || field.maximum;
  const text =
    field.example ??
    (field.items === undefined ? undefined : listSample(field)) ??
    field.values?.[0] ??
    (bound ? String(bound) : SAMPLES[field.kind]);
  return /^["'@]/.test(text) || /^[\w.,:/@+-]+$/.test(text) ? text : `"${text}"`;
}

function listSample({ items = 'json', values }: Field): string {
  if (items === 'json') return '[]';
  return (values?.slice(0, 2) ?? [SAMPLES[items], OTHER_SAMPLES[items] ?? SAMPLES[items]]).join(',');
}

/** The second sample value of some kinds, for lists. A list of any other kind repeats the first value. */
const OTHER_SAMPLES: Partial<Readonly<Record<Field['kind'], string>>> = { id: '8', user: '12', string: 'another', integer: '2' };

const SAMPLES: Readonly<Record<Field['kind'], string>> = {
  id: '7',
  user: 'me',
  'work-item': 'ABC-12',
  integer: '1',
  string: 'Something new',
  html: 'Something new',
  markdown: '@text.md',
  date: '2026-06-12',
  'date-time': '"2026-06-12 10:00"',
  'span-end': '2026-06-12',
  time: '09:00',
  duration: '1h30',
  money: '95.00',
  decimal: '1.5',
  number: '1.5',
  percentage: '21',
  coordinate: '51.9225',
  boolean: 'true',
  enum: 'value',
  json: '{}',
};
