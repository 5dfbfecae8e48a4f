import type { Resource } from '../../catalog/define.ts';
import { DeclinedError, exitCodeOf, PartialError, SvcError, UsageError } from '../../errors.ts';
import { type JsonObject, scalarText } from '../../values/json.ts';
import type { Context } from '../context.ts';
import { type CommandSpec, defineCommand } from '../define.ts';
import { printOneOrMany, printRecords } from '../print.ts';
import { readRecord } from '../read-record.ts';
import { examplesOf } from './examples.ts';
import { itemPath, readItemId } from './item-path.ts';
import { describeWrite, sendWrite } from './send-write.ts';

/** `svc <noun> delete <id>…`: asks first at a terminal, then deletes one by one and reports each. */
export function deleteCommand(resource: Resource): CommandSpec {
  return defineCommand({
    showsGlobals: ['host', 'output', 'fields', 'jq', 'dryRun', 'yes'],
    name: 'delete',
    summary: `Delete a ${resource.singular.replaceAll('-', ' ')}`,
    description: 'Needs a personal access token with Delete: a browser sign-in can never delete. See svc token set --help.',
    args: [
      {
        name: 'id',
        summary: resource.keyed ? 'Its id or key; several are deleted one by one' : 'Its id; several are deleted one by one',
        variadic: true,
      },
    ],
    examples: [
      ...examplesOf(resource, 'delete'),
      { args: `${resource.noun} delete 12 13 14 --yes`, does: 'Delete three without a question, in a script' },
    ],
    async run(context, { args }) {
      const ids = [...new Set(args.map((id) => readItemId(resource, id)))];
      const writes = ids.map((id) => ({ method: 'DELETE', path: itemPath(resource, id) }) as const);
      if (context.globals.dryRun) {
        const descriptions = await Promise.all(writes.map((write) => describeWrite(context, resource, write)));
        return printOneOrMany(context, descriptions, ids.length > 1);
      }
      // Without a token that may delete, say so before asking and before sending anything.
      await (await context.credentials())({ method: 'DELETE', upload: false, signal: context.signal });
      await confirmDelete(context, resource, ids);
      await deleteEach(context, resource, ids);
    },
  });
}

async function deleteEach(context: Context, resource: Resource, ids: readonly string[]): Promise<void> {
  const results: JsonObject[] = [];
  const failures: SvcError[] = [];
  for (const id of ids) {
    try {
      await sendWrite(context, { method: 'DELETE', path: itemPath(resource, id) });
      results.push({ id: idValue(id), deleted: true });
      await context.notice(`Deleted ${resource.singular} ${id}.`);
    } catch (error) {
      // One record is one failure, and so is what would fail for every other one too.
      if (!(error instanceof SvcError) || ids.length === 1 || context.signal.aborted) throw error;
      failures.push(error);
      results.push({ id: idValue(id), deleted: false, error: error.message });
      await context.notice(`Not deleted: ${resource.singular} ${id}. ${error.message}`);
    }
  }
  if (!context.deps.stdio.stdout.isTTY || context.globals.output !== undefined)
    await printRecords(context, results, ['id', 'deleted', 'error']);
  const [first] = failures;
  if (first === undefined) return;
  if (failures.length === ids.length && failures.every((failure) => exitCodeOf(failure) === exitCodeOf(first))) throw first;
  throw new PartialError(`${ids.length - failures.length} of ${ids.length} were deleted.`, {
    hint: 'What failed is named above; the others are gone.',
    details: { lines: failures.map(({ message }) => message) },
  });
}

/** At a terminal a yes is asked for, with what is to go by name; elsewhere `--yes` must say it. */
async function confirmDelete(context: Context, resource: Resource, ids: readonly string[]): Promise<void> {
  if (context.globals.yes) return;
  if (!context.interactive)
    throw new UsageError('Deleting asks first, and there is nobody to ask.', { hint: 'Add --yes if you are sure.' });
  const client = await context.client();
  for (const id of ids) {
    const record = readRecord(await client.send({ method: 'GET', path: itemPath(resource, id) }));
    await context.notice(`  ${resource.singular} ${id}: ${nameOf(record)}`);
  }
  const question = ids.length === 1 ? 'Delete it?' : `Delete these ${ids.length}?`;
  if (!(await context.deps.prompts.confirm(question, context.signal)))
    throw new DeclinedError('Nothing was deleted.', { hint: 'You said no.' });
}

/** What a person knows a record by. */
function nameOf(record: JsonObject): string {
  const parts = ['issue_key', 'name', 'title', 'date', 'start', 'minutes', 'description'].flatMap((field) => {
    const value = scalarText(record[field] ?? null);
    return value === '' ? [] : [field === 'minutes' ? `${value} min` : value];
  });
  return parts.slice(0, 4).join(', ').slice(0, 120);
}

function idValue(id: string): string | number {
  return /^\d+$/.test(id) ? Number(id) : id;
}
