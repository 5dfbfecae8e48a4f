import { DAY, utcDate, utcSecond } from '../../../src/sandbox/dates.ts';
import type { Json, Values } from '../../../src/sandbox/json.ts';
import { type ServedField, type ServedResource, storedName } from '../../../src/sandbox/resources/define.ts';
import { DEFINED } from '../../../src/sandbox/resources/index.ts';
import type { SandboxState } from '../../../src/sandbox/sandbox-state.ts';
import { BEGINNING, createRandom, type Random } from '../../../src/sandbox/seed/seeding.ts';

/** The number of records in a new resource. */
const ROWS = 12;

/** Adds the values that only this tenant has to records, and removes values that it does not know. */
export function seedTenant(sandboxState: SandboxState): void {
  const random = createRandom(sandboxState.settings.seed + 17);
  const before = new Map(DEFINED.map((resource) => [resource.name, resource]));
  for (const resource of sandboxState.service.resources) {
    const known = before.get(resource.name)?.fields;
    if (known === undefined) addRows(sandboxState, resource, random);
    else fillRows(sandboxState, resource, known, random);
  }
}

function addRows(sandboxState: SandboxState, resource: ServedResource, random: Random): void {
  const table = sandboxState.db.table(resource.name);
  for (let row = 0; row < ROWS; row++) {
    const created = utcSecond(BEGINNING + row * DAY);
    const values: Values = {};
    for (const [name, field] of Object.entries(resource.fields)) {
      if (name !== 'id' && field.compute === undefined) values[storedName(name, field)] = valueFor(sandboxState, name, field, random);
    }
    table.insert({ ...values, ...(resource.softDelete && { deleted_at: null }), created_at: created, updated_at: created });
  }
}

function fillRows(sandboxState: SandboxState, resource: ServedResource, known: ServedResource['fields'], random: Random): void {
  const table = sandboxState.db.table(resource.name);
  const fresh = Object.entries(resource.fields).filter(([name, field]) => !Object.hasOwn(known, storedName(name, field)));
  const enums = Object.entries(resource.fields).filter(([name, { type }]) => type === 'enum' && !fresh.some(([added]) => added === name));
  for (const row of [...table.rows.values()]) {
    const values: Values = {};
    for (const [name, field] of fresh) values[storedName(name, field)] = valueFor(sandboxState, name, field, random);
    for (const [name, field] of enums) {
      const storedAs = storedName(name, field);
      const value = row[storedAs];
      if (typeof value === 'string' && field.values?.includes(value) === false) values[storedAs] = field.default ?? null;
    }
    if (Object.keys(values).length > 0) table.update(row.id, values);
  }
}

function valueFor(sandboxState: SandboxState, name: string, field: ServedField, random: Random): Json {
  if (field.nullable === true && random.chance(0.2)) return null;
  switch (field.type) {
    case 'enum':
      return random.pick(field.values ?? []);
    case 'reference': {
      const ids = [...sandboxState.db.table(field.to ?? 'users').rows.keys()];
      return ids.length === 0 ? null : random.pick(ids);
    }
    case 'references':
      return [];
    case 'boolean':
      return random.chance(0.3);
    case 'integer':
      return random.integer(1, 40);
    case 'minutes':
      return random.integer(1, 32) * 15;
    case 'percent':
      return random.integer(0, 100);
    case 'date':
      return utcDate(BEGINNING + random.integer(0, 500) * DAY);
    case 'datetime':
      return name === 'deleted_at' ? null : utcSecond(BEGINNING + random.integer(0, 500 * 24) * 3_600_000);
    case 'time':
      return `${String(random.integer(6, 20)).padStart(2, '0')}:30`;
    case 'money':
    case 'decimal':
      return `${random.integer(1, 900)}.${random.integer(10, 99)}`;
    case 'coordinate':
      return `${random.integer(-80, 80)}.5`;
    case 'object':
      return { level: random.integer(1, 3) };
    case 'html':
      return '<p>Mind the <strong>step</strong>.</p>';
    case 'markdown':
      return 'Mind the **step**.';
    default:
      return `${name.replaceAll('_', ' ')} ${random.integer(1, 99)}`;
  }
}
