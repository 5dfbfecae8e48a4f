import { defineCommand } from '../../cli/spec.ts';
import {
  breakingFirst,
  type CatalogChange,
  compareCatalog,
  compareImports,
  flatResources,
  type SchemaChange,
} from '../../schema/compare.ts';
import type { DescribedResource } from '../../schema/described.ts';
import { storedIndex, storedResources } from '../../schema/stored-schema.ts';
import type { Needs } from '../../session/context.ts';
import { type Printing, printRecords } from '../../session/print.ts';
import type { JsonObject } from '../../values/json.ts';
import { counted } from '../../values/text.ts';
import { catalogResources, nothingImported } from './show.ts';

export const diffSchema = defineCommand({
  description:
    'svc compares the imported API spec with the previous import, and with its built-in knowledge. svc reports confirmed and wrong assumptions, new facts, and facts that the API spec lacks. Breaking changes come first. svc exits with 0, with or without differences.',
  examples: [
    { args: 'schema diff', does: 'List all differences' },
    { args: `schema diff --jq 'map(select(.breaking)) | length'`, does: 'Count the breaking changes' },
  ],
  async run(context: Needs<Printing | 'files' | 'host' | 'notice' | 'paths'>) {
    const host = await context.host();
    const index = await storedIndex(context, host);
    if (index === undefined) throw nothingImported(host.name);
    const nouns = await storedResources(context, host, index);
    const since = index.previous === undefined ? [] : compareImports(await storedResources(context, host, index.previous), nouns);
    const against = await againstCatalog(nouns);
    const rows = breakingFirst([
      ...since.map((change) => ({ ...change, since: 'import', assumed: false })),
      ...against.map((change) => ({ ...change, since: 'svc' })),
    ]);
    await printRecords(context, rows.map(toRow), ['breaking', 'since', 'noun', 'what', 'name', 'change', 'before', 'now']);
    const before = index.previous === undefined ? 'There is no import before this one' : counted(since.length, 'change');
    const count = (change: CatalogChange['change']) => against.filter((one) => one.change === change).length;
    await context.notice(
      `${before}${index.previous === undefined ? '' : ` since ${index.previous.importedAt}`}. Facts of svc itself: ${count('confirmed')} confirmed, ${count('corrected')} corrected, ${count('missing')} missing, ${count('added')} new.`,
    );
  },
});

async function againstCatalog(nouns: readonly DescribedResource[]): Promise<CatalogChange[]> {
  const described = flatResources(nouns);
  const catalog = await catalogResources();
  const changes: CatalogChange[] = [];
  for (const [noun, is] of described) {
    const entry = catalog.get(noun);
    if (entry === undefined)
      changes.push({
        noun,
        what: 'resource',
        name: '',
        change: 'added',
        breaking: false,
        assumed: false,
        before: '',
        now: is.path ?? is.itemPath ?? '',
      });
    else changes.push(...compareCatalog(noun, entry, is));
  }
  for (const [noun, { noun: knew, isAssumed }] of catalog) {
    if (described.has(noun)) continue;
    const assumed = isAssumed('path', '');
    changes.push({ noun, what: 'resource', name: '', change: 'missing', breaking: !assumed, assumed, before: knew.path ?? '', now: '' });
  }
  return changes;
}

function toRow({
  breaking,
  since,
  noun,
  what,
  name,
  change,
  assumed,
  before,
  now,
}: (SchemaChange | CatalogChange) & { since: string; assumed: boolean }): JsonObject {
  return { breaking, since, noun, what, name, change, assumed, before, now };
}
