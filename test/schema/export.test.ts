import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DescribedField, type DescribedOperation, type DescribedResource, isKind } from '../../src/schema/described.ts';
import { readDescribedResource } from '../../src/schema/read-described.ts';
import type { ValueKind } from '../../src/values/kind.ts';
import { createMachine } from '../support/svc.ts';
import { compiled, DOCUMENTS, exported } from './exported-documents.ts';

describe('the API spec that svc exports', () => {
  it.each(DOCUMENTS)('describes the same resources as the document %s', async (_, read) => {
    const nouns = await compiled(await read());
    expect(await compiled(exported(nouns))).toEqual(nouns);
    for (const noun of nouns) expect(readDescribedResource(noun), noun.noun).toEqual(noun);
  });

  it('is the same text after an import and a second export, for random resources', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(resourceArbitrary, { minLength: 1, maxLength: 4, selector: ({ noun }) => noun }), async (nouns) => {
        const text = exported(nouns);
        const again = await compiled(text);
        expect(exported(again)).toBe(text);
        expect(again).toEqual(JSON.parse(JSON.stringify(nouns)));
      }),
      { numRuns: 30 },
    );
  });

  it('marks assumptions without an import, and has the same paths after its own import', async () => {
    const machine = await createMachine();
    const argv = ['schema', 'export', '--host', 'acme.test'];
    const first = await machine.svc(argv);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toContain('"x-assumed":true');
    expect((await machine.svc(['schema', 'import', '-', '--host', 'acme.test'], { stdin: first.stdout })).code).toBe(0);
    const paths = (text: string) => Object.keys((JSON.parse(text) as { paths: object }).paths);
    const second = await machine.svc(argv);
    expect(paths(second.stdout)).toEqual(paths(first.stdout));
    await machine.svc(['schema', 'import', '-', '--host', 'acme.test'], { stdin: second.stdout });
    expect((await machine.svc(argv)).stdout).toBe(second.stdout);
    expect((await machine.svc([...argv, '-o', 'csv'])).code).toBe(2);
    await machine.remove();
  });
});

const word = fc.stringMatching(/^[a-z]{4,8}$/).filter((text) => !['data', 'items', 'results', 'records', 'rows'].includes(text));
const summary = fc.constantFrom('What it is', 'Two decimals, as text', 'A day (YYYY-MM-DD)', 'One of /users');
const KINDS = (
  [
    'integer',
    'string',
    'html',
    'markdown',
    'date',
    'date-time',
    'span-end',
    'time',
    'duration',
    'money',
    'decimal',
    'percentage',
    'coordinate',
    'number',
    'boolean',
    'json',
  ] as const
).filter(isKind);

const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const flag = fc.constantFrom(true as const, undefined);

/** Without members that are undefined. */
function defined<To>(value: object): To {
  return JSON.parse(JSON.stringify(value)) as To;
}

const kindArbitrary: fc.Arbitrary<Pick<DescribedField, 'kind' | 'values' | 'extensible'>> = fc.oneof(
  fc.record({ kind: fc.constantFrom<ValueKind>(...KINDS) }).map(defined<DescribedField>),
  fc
    .record({ kind: fc.constant<ValueKind>('enum'), values: fc.uniqueArray(word, { minLength: 1, maxLength: 3 }), extensible: flag })
    .map(defined<DescribedField>),
);

/** A field that both bodies take, with the operations' members of it. */
const fieldArbitrary: fc.Arbitrary<DescribedField> = fc
  .record({
    type: kindArbitrary,
    summary: optional(summary),
    nullable: flag,
    deprecated: flag,
    write: fc.constantFrom('create', 'update', 'both', undefined),
    required: flag,
  })
  .map(({ type, write, required, ...more }) =>
    defined({ ...type, ...more, write, required: write === 'create' || write === 'both' ? required : undefined } as DescribedField),
  );

const resourceArbitrary: fc.Arbitrary<DescribedResource> = fc
  .record({
    noun: fc.stringMatching(/^[a-z]{4,8}s$/),
    fields: fc.dictionary(word, fieldArbitrary, { minKeys: 1, maxKeys: 6 }),
    sorts: fc.uniqueArray(word, { minLength: 1, maxLength: 3 }),
    includes: fc.dictionary(word, fc.record({ many: flag }).map(defined<{ many?: true }>), { maxKeys: 3 }),
    paged: fc.boolean(),
    search: fc.boolean(),
    trashed: optional(fc.uniqueArray(word, { minLength: 1, maxLength: 3 })),
    maxPerPage: optional(fc.integer({ min: 1, max: 1000 })),
    operators: fc.uniqueArray(fc.constantFrom('eq', 'gte', 'lt', 'null', 'in'), { minLength: 1, maxLength: 4 }),
    permission: optional(fc.constant('rooms::manage')),
    summary,
    named: fc.boolean(),
  })
  .map(({ noun, fields, sorts, includes, paged, search, trashed, maxPerPage, operators, permission, summary: said, named }) => {
    const shown = { id: { kind: 'id' } as DescribedField, ...fields };
    const body = (way: 'create' | 'update') =>
      Object.fromEntries(
        Object.entries(fields).flatMap(([name, { write, required, ...field }]) =>
          write === way || write === 'both' ? [[name, { ...field, write: way, ...(way === 'create' && required && { required }) }]] : [],
        ),
      );
    const path = `/${noun}`;
    const itemPath = `${path}/{${noun.slice(0, -1)}}`;
    const filters = Object.fromEntries(
      Object.entries(fields).map(([name, { kind, values }]) => [
        name,
        { kind: kind === 'json' ? 'string' : kind, operators, ...(values && { values }) },
      ]),
    );
    const operation = (name: string, method: string, at: string, more: Partial<DescribedOperation> = {}) => ({
      name,
      method,
      path: at,
      ...more,
    });
    return defined<DescribedResource>({
      noun,
      singular: noun.slice(0, -1),
      summary: said,
      path,
      itemPath,
      ...(named && { schema: `S${noun}` }),
      fields: shown,
      list: {
        filters: filters as NonNullable<DescribedResource['list']>['filters'],
        sorts,
        paged,
        search,
        ...(trashed && { trashed }),
        ...(maxPerPage !== undefined && { maxPerPage }),
      },
      includes,
      views: { summary: ['id'], detail: Object.keys(shown).filter((name) => !Object.hasOwn(includes, name)) },
      operations: [
        operation('list', 'GET', path, { abilities: ['api:read:rooms'], ...(permission !== undefined && { permission }) }),
        operation('create', 'POST', path, { body: body('create') }),
        operation('get', 'GET', itemPath),
        operation('update', 'PATCH', itemPath, { body: body('update') }),
        operation('delete', 'DELETE', itemPath),
        operation('close', 'POST', `${itemPath}/actions/close`, { deprecated: true }),
      ],
    });
  });
