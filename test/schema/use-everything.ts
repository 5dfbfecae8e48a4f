import type { Machine, Result } from '../support/svc.ts';

/** A flag in the output of `svc commands`. */
interface Flag {
  readonly flag: string;
  readonly type: string;
  readonly summary: string;
  readonly values?: readonly string[];
  readonly known_values?: readonly string[];
  readonly refers_to?: string;
}

interface Command {
  readonly command: string;
  readonly arguments: readonly { readonly name: string; readonly required: boolean; readonly refers_to?: string }[];
  readonly flags: readonly Flag[];
  readonly sends: { readonly method: string; readonly path: string } | null;
}

interface FilterFact {
  readonly field: string;
  readonly kind: string;
  readonly operators: readonly string[];
  readonly values?: readonly string[];
  readonly assumed: boolean;
}

/** The result of the commands. */
export interface Used {
  /** The number of typed lines. */
  readonly lines: number;
  /** The lines that the tenant or svc refused, with the reasons. */
  readonly refused: readonly string[];
  /** The commands whose help offers `--include` without an existing relation. */
  readonly emptyIncludes: readonly string[];
  /** The facts that `svc resources` calls assumed. */
  readonly assumed: readonly string[];
}

/** The flags of every write that are not fields of a record. */
const NO_FIELDS: ReadonlySet<string> = new Set([
  '--field',
  '--raw-field',
  '--data',
  '--view',
  '--idempotency-key',
  '--if-match',
  '--if-unchanged',
  '--html',
  '--date-order',
  '--repeat',
  '--like',
  '--later',
  '--no-check',
  '--no-context',
  '--where',
  '--max-changes',
]);

/**
 * Types every command of every resource of a tenant, using only the output of `svc commands` and `svc resources`.
 * Lists have each filter, sort, relation, view and `trashed` value. Further commands read each record, create one with every field, and
 * update each.
 */
export async function useEverything(machine: Machine): Promise<Used> {
  const refused: string[] = [];
  const assumed: string[] = [];
  let lines = 0;
  const type = async (argv: readonly string[]): Promise<Result> => {
    lines += 1;
    const result = await machine.svc(argv);
    // A missing record, or a conflict with its state, does not mean that svc refused the line.
    if (![0, 3, 6].includes(result.code))
      refused.push(`svc ${argv.join(' ')} → ${result.code}: ${result.stderr.trim().split('\n').slice(0, 3).join(' ')}`);
    return result;
  };
  const { commands } = JSON.parse((await machine.svc(['commands', '--output', 'json'])).stdout) as {
    readonly commands: readonly Command[];
  };
  const idOf = firstIds(machine);

  for (const place of placesOf(commands)) {
    const { noun, nested } = place;
    const find = (verb: string) => commands.find(({ command }) => command === `svc ${place.words.join(' ')} ${verb}`);
    const above = nested === undefined ? [] : [await idOf(noun)];
    if (above.includes(undefined)) continue;
    const parent = above as readonly string[];
    const facts = nested === undefined ? await factsOf(machine, noun) : NO_FACTS;
    for (const one of [...facts.filters, ...facts.fields]) if (one.assumed) assumed.push(`${noun} ${one.field}`);
    for (const one of facts.relations) if (one.assumed) assumed.push(`${noun} ${one.name}`);
    const list = find('list');
    if (list !== undefined) for (const argv of await listLines(place.words, parent, list, facts, idOf)) await type(argv);
    const get = find('get');
    const id = nested === undefined ? await idOf(noun) : undefined;
    if (get !== undefined && id !== undefined) {
      await type([noun, 'get', id]);
      for (const relation of knownValues(get, '--include')) await type([noun, 'get', id, '--include', relation]);
    }
    const create = find('create') ?? (find('add')?.sends?.method === 'POST' ? find('add') : undefined);
    let made: string | undefined;
    if (create !== undefined) {
      const fields = await fieldFlags(create, idOf);
      const { code, stdout } = await type([
        ...place.words,
        create.command.split(' ').at(-1) ?? '',
        ...parent,
        ...fields.flat(),
        '--output',
        'json',
      ]);
      made = code === 0 ? String((JSON.parse(stdout) as { readonly id?: number }).id ?? '') : undefined;
    }
    const update = find('update');
    const target = made || id;
    if (update !== undefined && target !== undefined) {
      for (const fields of await fieldFlags(update, idOf))
        await type([...place.words, 'update', ...parent, target, ...fields, '--output', 'json']);
    }
    // The test only describes other operations, because most depend on the state of a record.
    for (const { command, arguments: args, flags, sends } of commands) {
      const name = command.split(' ').at(-1) ?? '';
      if (sends === null || VERBS.has(name) || command !== `svc ${place.words.join(' ')} ${name}`) continue;
      const required = flags.filter(({ summary }) => summary.endsWith('(required)'));
      const ids = args.filter(({ required: isRequired }) => isRequired).map((_, index) => parent[index] ?? id ?? '1');
      const values = await fieldFlags({ command, arguments: args, flags: required, sends }, idOf);
      await type([
        ...place.words,
        name,
        ...ids,
        ...(name === 'transition' ? ['--to', '1'] : values.flat()),
        ...(name === 'move' ? ['--after', '2'] : []),
        '--dry-run',
        '--yes',
      ]);
    }
  }
  const emptyIncludes = commands.flatMap((command) => {
    // The flag of svc api has the form of curl.
    if (command.command === 'svc api') return [];
    const flag = command.flags.find((one) => one.flag === '--include');
    const names = knownValues(command, '--include');
    const isNamed = names.length > 0 && names.every((name) => flag?.summary.includes(name));
    return flag === undefined || isNamed ? [] : [`${command.command}: ${flag.summary}`];
  });
  return { lines, refused, assumed, emptyIncludes };
}

/** A resource, or a child resource. */
interface CommandPlace {
  readonly words: readonly string[];
  readonly noun: string;
  readonly nested: string | undefined;
}

const VERBS: ReadonlySet<string> = new Set(['list', 'get', 'create', 'add', 'import', 'update', 'edit', 'delete']);

function placesOf(commands: readonly Command[]): readonly CommandPlace[] {
  const found = commands.flatMap(({ command, sends }): CommandPlace[] => {
    const words = command.split(' ').slice(1, -1);
    const [noun = '', nested] = words;
    return sends === null || words.length === 0 || words.length > 2 ? [] : [{ words, noun, nested }];
  });
  return [...new Map(found.map((place) => [place.words.join(' '), place])).values()];
}

interface Facts {
  readonly filters: readonly FilterFact[];
  readonly fields: readonly { readonly field: string; readonly assumed: boolean; readonly refers_to: string | null }[];
  readonly relations: readonly { readonly name: string; readonly assumed: boolean }[];
}

const NO_FACTS: Facts = { filters: [], fields: [], relations: [] };

async function factsOf(machine: Machine, noun: string): Promise<Facts> {
  const { code, stdout } = await machine.svc(['resources', noun, '--output', 'json']);
  return code === 0 ? (JSON.parse(stdout) as Facts) : NO_FACTS;
}

function knownValues(command: Command, flag: string): readonly string[] {
  const found = command.flags.find((one) => one.flag === flag);
  return found?.values ?? found?.known_values ?? [];
}

async function listLines(
  words: readonly string[],
  parent: readonly string[],
  list: Command,
  { filters, fields }: Facts,
  idOf: IdOf,
): Promise<readonly (readonly string[])[]> {
  const at = [...words, 'list', ...parent, '--limit', '1', '--output', 'json'];
  const lines: string[][] = [at];
  for (const flag of ['--sort', '--include', '--view', '--trashed'])
    for (const value of knownValues(list, flag)) lines.push([...at, flag, value]);
  if (list.flags.some(({ flag }) => flag === '--search')) lines.push([...at, '--search', 'a']);
  for (const form of knownValues(list, '--filter')) {
    const [, field = '', operator] = /^([^.=]+)(?:\.(\w+))?=$/.exec(form) ?? [];
    const filter = filters.find((one) => one.field === field);
    if (filter === undefined) continue;
    const ref = fields.find((one) => one.field === field)?.refers_to ?? undefined;
    const value = operator === 'null' ? 'true' : await sampleFor(filter.kind, filter.values, ref, idOf);
    if (value !== undefined) lines.push([...at, '--filter', `${form}${value}`]);
  }
  return lines;
}

/** Returns each flag of a field with a possible value of its type. */
async function fieldFlags(command: Command, idOf: IdOf): Promise<readonly (readonly string[])[]> {
  const flags: string[][] = [];
  for (const { flag, type, values, known_values: known, refers_to: ref } of command.flags) {
    if (NO_FIELDS.has(flag) || (command.command === 'svc worklogs add' && ['--from', '--to'].includes(flag))) continue;
    if (type === 'switch') flags.push([flag]);
    else {
      const value = await sampleFor(type, values ?? known, ref, idOf);
      if (value !== undefined) flags.push([flag, value]);
    }
  }
  return flags;
}

type IdOf = (noun: string) => Promise<string | undefined>;

/** Returns the id of the first record of a resource, with one request per resource. */
function firstIds(machine: Machine): IdOf {
  const known = new Map<string, Promise<string | undefined>>();
  const read = async (noun: string) => {
    const { code, stdout } = await machine.svc([noun, 'list', '--limit', '1', '--output', 'ids']);
    return code === 0 ? stdout.trim().split('\n')[0] || undefined : undefined;
  };
  return (noun) => {
    const id = known.get(noun) ?? read(noun);
    known.set(noun, id);
    return id;
  };
}

const SAMPLES: Readonly<Record<string, string>> = {
  id: '1',
  user: 'me',
  integer: '3',
  string: 'Sample',
  html: 'Sample',
  markdown: 'Sample',
  date: '2026-03-31',
  'date-time': '2026-03-31T09:00:00Z',
  'span-end': '2026-03-31T17:00:00Z',
  time: '09:00',
  duration: '90',
  money: '12.50',
  decimal: '1.5',
  percentage: '21',
  coordinate: '51.9',
  boolean: 'true',
  number: '1.5',
};

async function sampleFor(
  kind: string,
  values: readonly string[] | undefined,
  ref: string | undefined,
  idOf: IdOf,
): Promise<string | undefined> {
  if (values !== undefined && values.length > 0) return values[0];
  if (kind === 'work-item') return idOf('work-items');
  if (ref !== undefined && kind !== 'user') return idOf(ref);
  return SAMPLES[kind];
}
