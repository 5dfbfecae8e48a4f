import { shellWord } from '../../cli/shell-word.ts';
import { NotFoundError, UsageError } from '../../errors.ts';
import { didYouMean } from '../../values/suggest.ts';
import { quoted, recordTable } from '../sql-values.ts';
import type { PostgresPlace } from './address.ts';
import { inSchema } from './names.ts';
import { inSession } from './session.ts';
import { CHANGES, STATUS } from './status-view.ts';
import { storedTables } from './stored-tables.ts';
import { ownViews } from './views.ts';

/**
 * Lets a role read the tables of some resources, `svc_status`, and the changes of these tables. The role can then use `svc --database`. The
 * role gets no right to the tables that svc uses internally.
 *
 * A view runs with the rights of its owner, and ignores row-level security. So the role gets svc’s views only without `resources`, and only
 * if no table has row-level security.
 *
 * @param resources resources with their child records. Empty for all resources.
 * @returns the names of the tables of rows and of the views that the role can now read. `svc_status` and `svc_change_log` are not in the
 * list.
 * @throws NotFoundError if the role does not exist; UsageError for a resource without a table; ForbiddenError if the server refuses the
 * grant.
 * @throws UsageError if row-level security protects the rows of a resource, but not the original records.
 */
export async function grantReading(place: PostgresPlace, role: string, resources: readonly string[]): Promise<readonly string[]> {
  const { schema, name } = place;
  return inSession(place, async (session) => {
    return await session.transaction(async () => {
      const [there] = await session.rows('SELECT 1 FROM pg_roles WHERE rolname = $1', role);
      if (there === undefined)
        throw new NotFoundError(`The role ${role} does not exist at ${name}.`, {
          hint: `To create the role in psql: CREATE ROLE ${quoted(role)} LOGIN`,
        });
      const stored = await storedTables(session);
      const missing = resources.find((noun) => !stored.some((each) => each.noun === noun));
      if (missing !== undefined)
        throw new UsageError(`The team database has no table for ${missing}.`, {
          hint: didYouMean(
            missing,
            stored.map(({ noun }) => noun),
            `To store the records: svc sync ${shellWord(missing)} --to ${shellWord(name)}`,
          ),
        });
      const isChosen = (noun: string) => resources.length === 0 || resources.some((each) => noun === each || noun.startsWith(`${each}.`));
      const tables = stored.filter(({ noun }) => isChosen(noun)).map(({ table }) => table);
      const secured = await session.rows<{ readonly name: string }>(
        'SELECT relname AS name FROM pg_class WHERE relnamespace = $1::text::regnamespace AND relrowsecurity',
        quoted(schema),
      );
      const isSecured = (table: string) => secured.some((each) => each.name === table);
      const open = tables.find((table) => isSecured(table) && !isSecured(recordTable(table)));
      if (open !== undefined) {
        const records = inSchema(schema, recordTable(open));
        throw new UsageError(`${open} has row-level security, but the table of its original records has none.`, {
          hint: `In psql: ALTER TABLE ${records} ENABLE ROW LEVEL SECURITY; CREATE POLICY as_rows ON ${records} FOR SELECT USING (id IN (SELECT id FROM ${inSchema(schema, open)}));`,
        });
      }
      const views = resources.length === 0 && secured.length === 0 ? await ownViews(session) : [];
      const relations = [...tables.flatMap((table) => [table, recordTable(table)]), STATUS, CHANGES].map((each) => inSchema(schema, each));
      await session.run(`GRANT USAGE ON SCHEMA ${quoted(schema)} TO ${quoted(role)}`);
      await session.run(`GRANT SELECT ON ${[...relations, ...views].join(', ')} TO ${quoted(role)}`);
      return [...tables, ...views];
    });
  });
}
