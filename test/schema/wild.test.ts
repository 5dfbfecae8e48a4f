import { mkdir } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { randomOf } from '../support/random.ts';
import { createMachine, type Machine, type Result } from '../support/svc.ts';
import { WILD } from './wild-documents.ts';

const HOST = 'small.example.com';
/** The mutations, each of the next shape in turn. */
const SEEDS = Array.from({ length: 60 }, (_, index) => index + 1);

let machine: Machine;
beforeEach(async () => {
  machine = await createMachine();
});
afterEach(() => machine.remove());

const svc = (argv: readonly string[], stdin?: string) =>
  machine.svc([...argv, '--host', HOST], { env: { SVC_TOKEN: 'a-token' }, ...(stdin !== undefined && { stdin }) });

/** Imports a document; without a crash, whatever it is. Returns the outcome in one line. */
async function outcomeOf(text: string): Promise<string> {
  const result = await svc(['schema', 'import', '--yes', '-', '-o', 'json'], text);
  expect([result.code, result.stderr]).toEqual([expect.toBeOneOf([0, 2]), expect.not.stringMatching(/inside svc|native code|\.ts:/)]);
  if (result.code === 2) return `refused: ${result.stderr.split('\n')[0]?.replace(/^svc: /, '')}`;
  const report = JSON.parse(result.stdout) as Record<'new' | 'kept' | 'left_out' | 'ignored', readonly { readonly reason: string }[]>;
  await useDescribed();
  const reasons = [...report.left_out, ...report.ignored].map(({ reason }) => reason);
  const count = report.new.length + report.kept.length;
  return [`imported: ${count} resource${count === 1 ? '' : 's'}`, ...new Set(reasons)].join('; ');
}

interface Described {
  readonly command: string;
  readonly arguments: readonly unknown[];
  readonly flags: readonly {
    readonly flag: string;
    readonly type: string;
    readonly summary: string;
    readonly known_values?: readonly string[];
  }[];
  readonly sends: { readonly method: string } | null;
}

/** Asks for the help of each described command, and types each write with every flag: nothing is refused for a reason of svc. */
async function useDescribed(): Promise<void> {
  const { commands } = JSON.parse((await svc(['commands', '-o', 'json'])).stdout) as { readonly commands: readonly Described[] };
  for (const { command, arguments: args, flags, sends } of commands) {
    const words = command.split(' ').slice(1);
    if (sends === null) continue;
    const isTyped = sends.method !== 'GET' && !['edit', 'import'].includes(words.at(-1) ?? '');
    const write = typed(words, args, flags);
    // A create or an update without a field that can be set has nothing to send.
    const isEmpty =
      ['create', 'update'].includes(words.at(-1) ?? '') &&
      !write.some((word) => word.startsWith('--') && !['--dry-run', '--yes'].includes(word));
    const lines = [[...words, '--help'], ...(isTyped && !isEmpty ? [write] : [])];
    for (const argv of lines) {
      const { code, stderr }: Result = await svc(argv);
      expect([code, stderr], argv.join(' ')).toEqual([0, expect.anything()]);
    }
  }
}

const SAMPLES: Readonly<Record<string, string>> = {
  integer: '5',
  id: '7',
  'id-or-name': '7',
  decimal: '3',
  date: '2026-03-31',
  json: '[]',
  user: '7',
};

function typed(words: readonly string[], args: Described['arguments'], flags: Described['flags']): string[] {
  const fields = flags.filter(({ flag, summary }) => summary.startsWith('Set ') && !['--field', '--raw-field'].includes(flag));
  const values = fields.flatMap(({ flag, type, known_values: known }) =>
    type === 'switch' ? [flag] : [flag, known?.[0] ?? SAMPLES[type] ?? 'Sample'],
  );
  return [...words, ...args.map(() => '7'), ...values, '--dry-run', '--yes'];
}

/** Changes a document at a place that the seed chooses. */
function mutated(seed: number): { readonly shape: string; readonly change: string; readonly text: string } {
  const random = randomOf(seed);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const { shape, document } = WILD[(seed - 1) % WILD.length] ?? { shape: '', document: {} };
  const root = structuredClone(document) as Record<string, unknown>;
  const places: (readonly [holder: Record<string, unknown>, key: string, path: string])[] = [];
  const walk = (node: unknown, path: string) => {
    if (typeof node !== 'object' || node === null) return;
    for (const key of Object.keys(node)) {
      places.push([node as Record<string, unknown>, key, `${path}/${key}`]);
      walk((node as Record<string, unknown>)[key], `${path}/${key}`);
    }
  };
  walk(root, '#');
  const [holder, key, path] = pick(places);
  const change = pick(Object.keys(CHANGES));
  CHANGES[change]?.(holder, key, root);
  return { shape, change: `${change} at ${path}`, text: JSON.stringify(root) };
}

const CHANGES: Readonly<Record<string, (holder: Record<string, unknown>, key: string, root: Record<string, unknown>) => void>> = {
  removed: (holder, key) => {
    delete holder[key];
  },
  '42': (holder, key) => {
    holder[key] = 42;
  },
  null: (holder, key) => {
    holder[key] = null;
  },
  'a text': (holder, key) => {
    holder[key] = 'text';
  },
  'an empty list': (holder, key) => {
    holder[key] = [];
  },
  'an empty object': (holder, key) => {
    holder[key] = {};
  },
  'a reference to nothing': (holder, key) => {
    holder[key] = { $ref: '#/components/schemas/Nothing' };
  },
  'the document itself': (holder, key) => {
    holder[key] = { $ref: '#' };
  },
  'renamed to a name with an escape code': (holder, key) => {
    holder[`\u001b[2J${key}`] = holder[key];
  },
  'in 60 more levels': (holder, key) => {
    for (let level = 0; level < 60; level += 1) holder[key] = { allOf: [holder[key]] };
  },
};

describe('API specs like those of other services', () => {
  it('are imported or refused with the reason, also after each of 60 mutations', { timeout: 300_000 }, async () => {
    const rows: string[] = [];
    for (const { shape, document } of WILD) rows.push(`| ${shape} | ${cell(await outcomeOf(JSON.stringify(document)))} |`);
    const changes: string[] = [];
    for (const seed of SEEDS) {
      const { shape, change, text } = mutated(seed);
      changes.push(`| ${seed} | ${shape} | ${cell(change)} | ${cell(await outcomeOf(text))} |`);
    }
    await mkdir(new URL('../../docs/contributing/', import.meta.url), { recursive: true });
    await expect(page(rows, changes)).toMatchFileSnapshot('../../docs/contributing/api-spec-shapes.md');
  });
});

describe('a body of several schemas', () => {
  /** Imports a create with this body, and types the create with each list of flags. @returns the exit codes. */
  async function creating(body: object, ...lines: readonly string[]): Promise<readonly number[]> {
    const content = (schema: object) => ({ content: { 'application/json': { schema } } });
    const shown = { type: 'object', properties: { id: { type: 'integer' } } };
    const get = { responses: { 200: content({ type: 'array', items: shown }) } };
    const paths = { '/things': { get, post: { requestBody: content(body), responses: { 201: content(shown) } } } };
    const document = { openapi: '3.1.0', info: { title: 'Small', version: '1' }, servers: [{ url: 'https://small.example/v1' }], paths };
    const imported = await svc(['schema', 'import', '--yes', '-'], JSON.stringify(document));
    expect(imported.code, imported.stderr).toBe(0);
    const codes: number[] = [];
    for (const line of lines) codes.push((await svc(['things', 'create', '--dry-run', ...line.split(' ')])).code);
    return codes;
  }
  const string = { type: 'string' };

  it('requires only the fields that every alternative requires', async () => {
    const card = { type: 'object', required: ['amount', 'card'], properties: { amount: { type: 'integer' }, card: string } };
    const transfer = { type: 'object', required: ['amount', 'account'], properties: { amount: { type: 'integer' }, account: string } };
    const lines = ['--amount 5 --account NL1', '--amount 5 --card 1234', '--account NL1'];
    expect(await creating({ oneOf: [card, transfer] }, ...lines)).toEqual([0, 0, 2]);
  });

  it('allows only the values that all parts allow, and requires the fields of each part', async () => {
    const first = {
      required: ['weight'],
      properties: {
        weight: { type: 'integer', minimum: 2, maximum: 8 },
        state: { enum: ['open', 'won', 'lost'] },
        size: { type: 'integer' },
      },
    };
    const second = {
      required: ['state'],
      properties: {
        weight: { type: 'integer', minimum: 1, maximum: 9 },
        state: { enum: ['open', 'won', 'new'] },
        size: { type: ['integer', 'string'] },
      },
    };
    const lines = [
      '--weight 5 --state open --size 3',
      ...['--state open', '--weight 5'],
      ...['--weight 1 --state open', '--weight 9 --state open'],
    ];
    const wrong = ['--weight 5 --state new', '--weight 5 --state open --size large'];
    expect(await creating({ allOf: [first, second] }, ...lines, ...wrong)).toEqual([0, 2, 2, 2, 2, 2, 2]);
  });
});

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replace(/[<>]/g, '');
}

function page(shapes: readonly string[], changes: readonly string[]): string {
  return `# Shapes of API specs

Other services publish API specs in these shapes. \`test/schema/wild-documents.ts\` has a small one of each. \`test/schema/wild.test.ts\` imports each one,
types each write that it describes, and writes this page.

| shape | outcome |
|---|---|
${shapes.join('\n')}

## Mutations

The test changes one place of a shape. The seed chooses the place and the change. svc imports the rest and reports the damaged part, or it refuses the
document. No mutation may crash svc.

| seed | shape | change | outcome |
|---|---|---|---|
${changes.join('\n')}
`;
}
