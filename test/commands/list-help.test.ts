import { afterAll, beforeAll, expect, it } from 'vitest';
import { builtInCatalog } from '../../src/catalog/index.ts';
import { createMachine, type Machine } from '../support/svc.ts';

let machine: Machine;
beforeAll(async () => {
  machine = await createMachine();
});
afterAll(() => machine.remove());

const resources = (await Promise.all(builtInCatalog().nouns.map(({ load }) => load()))).filter(
  ({ verbs }) => verbs === undefined || verbs.includes('list'),
);

it.each(resources.map((resource) => [resource.noun, resource] as const))(
  'svc %s list --help names every known filter and relation, and explains the sort orders',
  async (noun, resource) => {
    const { code, stdout } = await machine.svc([...noun.split(' '), 'list', '--help']);
    expect(code).toBe(0);
    const help = stdout.replace(/\s+/g, ' ');
    const filters = Object.keys(resource.filters).join(', ');
    expect(help).toContain(
      resource.parametersComplete === true ? `Filter by ${filters}; operators` : `Filter by any field, such as ${filters}; operators`,
    );
    const relations = Object.keys(resource.relations ?? {}).join(', ');
    expect(help).toContain(
      relations === '' ? 'Add related records (the service does not document their names)' : `Add related records: ${relations} `,
    );
    expect(help).toContain('Sort by id or another field, or by -field in reverse (the service documents id only)');
  },
);
