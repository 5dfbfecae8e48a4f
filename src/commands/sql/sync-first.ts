import { existsSync } from 'node:fs';
import { topOf } from '../../bulk/export/collections.ts';
import type { Place } from '../../bulk/sync/place.ts';
import type { Syncing } from '../../bulk/sync/run.ts';
import { syncInto } from '../../bulk/sync/sync-into.ts';
import { openForSql } from '../../database/query-database.ts';
import { readSqlText } from '../../database/sql-text.ts';
import { tableName } from '../../database/sql-values.ts';
import type { Needs } from '../../session/context.ts';
import { requireService, type UsingServiceOnly } from '../../session/offline.ts';

/** The most rate-limit units that svc spends on comparing parts of long tables. The value is small because the query waits for the sync. */
const FEW = 10;

/**
 * Updates the tables in a query. If the query names no table, svc updates every stored table, or all resources without a local database.
 *
 * @throws UsageError with --offline, --max-age or a team database.
 */
export async function syncFirst(context: Needs<UsingServiceOnly | Syncing>, place: Place, question: string | undefined): Promise<void> {
  await requireService(context, '--sync reads from the service');
  const { leftOut } = await syncInto(context, place, await resourcesIn(context, place.name, question), {
    ...{ budget: undefined, sliceUnits: FEW, children: 'changed' },
  });
  for (const { noun, reason } of leftOut) await context.notice(`svc did not update ${noun}: ${reason}`);
}

async function resourcesIn({ catalog }: Needs<'catalog'>, path: string, question: string | undefined): Promise<readonly string[]> {
  const names = new Set(question === undefined ? [] : readSqlText(question).names.map((name) => name.toLowerCase()));
  const named = catalog.nouns.filter(({ noun }) => names.has(tableName(noun))).map(({ noun }) => noun);
  const there: string[] = [];
  if (existsSync(path)) {
    const database = await openForSql(path, 'To create the local database: svc sync');
    try {
      const tables = database.tables();
      const chosen = tables.filter(({ name }) => names.has(name.toLowerCase()));
      const of = (chosen.length === 0 && named.length === 0 ? tables : chosen).flatMap((table) => table.of);
      there.push(...of.map(({ noun }) => topOf(noun)));
    } finally {
      database.close();
    }
  }
  return [...new Set([...named, ...there])];
}
