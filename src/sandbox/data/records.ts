import { createDatabase } from '../db.ts';
import type { Row } from '../json.ts';
import { type DefinedResource, type ServedField, toOneNames } from '../resources/define.ts';
import { createService, DEFINED } from '../resources/index.ts';
import type { SandboxState, ServiceVariant } from '../sandbox-state.ts';

/** Records of an organisation, as its service sent them in the detail view. */
export interface GivenRecords {
  /** The user who signs in. The records contain this user. */
  readonly userId: number;
  /** The records of each list by its path: `work-items`, or `work-items.comments` for child records. */
  readonly lists: ReadonlyMap<string, readonly Row[]>;
}

/** Returns the resource of the sandbox for a list of records. Undefined if the sandbox has no such resource. */
export function servedResourceOf(list: string): string | undefined {
  const [parent, segment] = list.split('.');
  return DEFINED.find(({ name, nested }) =>
    segment === undefined ? name === parent : nested.some((child) => child.parent === parent && child.segment === segment),
  )?.name;
}

/**
 * Creates a service that has only the given records. Leaves out lists that the sandbox has no resource for.
 * @throws RangeError without the record of the user.
 */
export function serviceOf({ userId, lists }: GivenRecords): ServiceVariant {
  const rows = new Map<string, Map<number, Row>>();
  for (const [list, records] of lists) {
    const name = servedResourceOf(list);
    if (name === undefined) continue;
    const known = rows.get(name) ?? new Map<number, Row>();
    for (const record of records) known.set(record.id, record);
    rows.set(name, known);
  }
  if (rows.get('users')?.get(userId) === undefined) throw new RangeError(`The records lack the user ${userId}, who would sign in.`);
  const isRead = (name: string | undefined) => name !== undefined && rows.has(name);
  const service = createService(DEFINED.map((resource) => withoutUnread(resource, isRead)));

  const fill = (sandboxState: SandboxState): void => {
    const original = createDatabase(DEFINED.map(({ name }) => name));
    for (const resource of service.resources) {
      const records = rows.get(resource.name);
      if (records === undefined) continue;
      // The sandbox makes relations and links itself. A given row can also have relations and links, but no answer shows these values.
      const derived = new Set([...Object.keys(resource.many), ...toOneNames(resource), 'links', '__proto__']);
      const extra = new Set<string>();
      const own = [...records.values()].map((row) => {
        for (const name of Object.keys(row))
          if (!extra.has(name) && !derived.has(name) && !isField(resource, name, sandboxState)) extra.add(name);
        return { row, revision: 1 };
      });
      const lastId = own.reduce((last, { row }) => Math.max(last, row.id), 0);
      for (const database of [sandboxState.db, original]) database.table(resource.name).load({ lastId, rows: own });
      sandboxState.extraFields.set(resource.name, [...extra]);
      if (resource.feature !== undefined) sandboxState.switches.features.add(resource.feature);
    }
    const unread = new Set(DEFINED.flatMap(({ name }) => (isRead(name) ? [] : [name])));
    sandboxState.read = { userId, unread, original };
    sandboxState.defaultUserId = userId;
    const owner = { userId, isReadyMade: true };
    sandboxState.tokens.create({ ...owner, name: 'full', scopes: ['read', 'write', 'destroy'] }, sandboxState.clock.now());
    sandboxState.tokens.create({ ...owner, name: 'read-only', scopes: ['read'] }, sandboxState.clock.now());
  };
  return { service, interpretations: {}, fill, hasSample: false };
}

/**
 * Removes the relations to resources without given records. A foreign key to such a resource accepts any id, because the sandbox does not
 * know the valid ids.
 */
function withoutUnread(resource: DefinedResource, isRead: (name: string | undefined) => boolean): DefinedResource {
  const fields = Object.entries(resource.fields).map(([name, field]): [string, ServedField] => {
    const { to, ...rest } = field;
    return to === undefined || field.type !== 'reference' || isRead(to) ? [name, field] : [name, { ...rest, type: 'integer' }];
  });
  const many = Object.entries(resource.many).filter(([, { resource: to }]) => isRead(to));
  return { ...resource, fields: Object.fromEntries(fields), many: Object.fromEntries(many) };
}

function isField({ fields }: DefinedResource, name: string, { interpretations }: SandboxState): boolean {
  return Object.hasOwn(fields, name) && fields[name]?.when?.(interpretations) !== false;
}
