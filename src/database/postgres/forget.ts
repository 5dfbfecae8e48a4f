import { quoted, recordTable } from '../sql-values.ts';
import type { PostgresPlace } from './address.ts';
import { dropForeignKeys } from './describe-tables.ts';
import { refuseForeignCode } from './foreign-code.ts';
import { inSchema, OWN_TABLES } from './names.ts';
import { hasTeamDatabase } from './own-tables.ts';
import { inSession } from './session.ts';
import { OWN_VIEWS } from './status-view.ts';
import { storedTables } from './stored-tables.ts';
import { takeDatabase } from './sync-turn.ts';
import { ownViews } from './views.ts';

/**
 * Removes a team database: all views and tables that svc created. Also removes the schema if svc created the schema, and the schema has no
 * other objects.
 *
 * @returns false if the team database does not exist.
 * @throws DatabaseError if objects or code of other roles depend on the team database. svc then removes nothing. TakenError while another
 * svc process syncs.
 */
export async function forgetPostgresDatabase(place: PostgresPlace): Promise<boolean> {
  const { schema } = place;
  return inSession(place, async (session) => {
    if (!(await hasTeamDatabase(session))) return false;
    await takeDatabase(session);
    await session.transaction(async () => {
      await dropForeignKeys(session);
      await refuseForeignCode(session);
      const tables = await storedTables(session);
      const [own] = await session.rows<{ readonly made_schema: string }>(`SELECT made_schema FROM ${inSchema(schema, 'svc_mirror')}`);
      const names = [...tables.flatMap(({ table }) => [table, recordTable(table)]), ...OWN_TABLES];
      const views = await ownViews(session);
      if (views.length > 0) await session.run(`DROP VIEW ${views.join(', ')}`);
      await session.run(`DROP VIEW IF EXISTS ${OWN_VIEWS.map((view) => inSchema(schema, view)).join(', ')}`);
      await session.run(`DROP TABLE IF EXISTS ${names.map((name) => inSchema(schema, name)).join(', ')}`);
      // The server refuses to drop a schema that still contains anything, even a single function.
      if (own?.made_schema === 't') await session.attempt(`DROP SCHEMA ${quoted(schema)}`);
    });
    return true;
  });
}
