import { randomUUID } from 'node:crypto';
import type { Resource } from '../../catalog/define.ts';
import { shellCommand } from '../../cli/shell-word.ts';
import type { OptionValues, TypedInput } from '../../cli/spec.ts';
import { readSqlText } from '../../database/sql-text.ts';
import { quoted, tableName } from '../../database/sql-values.ts';
import { DeclinedError, SvcError, UsageError, withMore } from '../../errors.ts';
import { readChanges } from '../../records/body.ts';
import { isPlaceholder } from '../../records/placeholder-id.ts';
import type { Context } from '../../session/context.ts';
import { pathIn } from '../../values/paths.ts';
import { askAndApply } from '../apply-plan.ts';
import { planStatement } from '../sql/plan-statement.ts';
import { namingDatabase } from '../sync-place.ts';
import type { UPDATE_OPTIONS, WHERE_OPTIONS } from './write-flags.ts';

/**
 * Plans an UPDATE of the records that match a condition, as `svc sql --plan` does. Without `--plan`, svc shows the changes, asks the user,
 * and applies the plan. The file of the plan stays only after a failure.
 *
 * @throws UsageError without `--plan` if svc can’t ask, and for a flag that is only for one record.
 */
export async function updateWhere(
  context: Context,
  resource: Resource,
  { args, options, given }: TypedInput<typeof UPDATE_OPTIONS>,
): Promise<void> {
  const { where, maxChanges } = given as OptionValues<typeof WHERE_OPTIONS>;
  if (args.length > 0) throw new UsageError('You cannot use --where and an id together.', { hint: 'Leave out one of the two.' });
  const { ifMatch, ifUnchanged, view } = options;
  if (ifMatch !== undefined || ifUnchanged || view !== undefined)
    throw new UsageError('You can use --if-match, --if-unchanged and --view only for one record.', {
      hint: 'With --where, svc changes only records that still have the old values.',
    });
  const { parameters } = readSqlText(where ?? '');
  const [parameter] = parameters;
  if ((where ?? '').trim() === '') throw new UsageError('--where is empty.', { hint: "For example: --where 'id = 7'" });
  if (parameter !== undefined)
    throw new UsageError(`--where has a parameter :${parameter}, and svc has no value for it.`, {
      hint: 'Write the value in the condition.',
    });
  const { body } = await readChanges(context, resource, options, given);
  const fields = Object.entries(body);
  if (fields.some(([, value]) => isPlaceholder(value)))
    throw new UsageError('A dry run sends no request, so svc cannot look up names.', {
      hint: 'Use the ids, or --plan instead of --dry-run.',
    });
  const sets = fields.map(([name], index) => `${quoted(name)} = :svc_${index}`);
  const db = await context.teamDatabase();
  const statement = {
    sql: `UPDATE ${tableName(resource.noun)}_named SET ${sets.join(', ')} WHERE ${where}`,
    parameters: Object.fromEntries(fields.map(([, value], index) => [`svc_${index}`, value])),
    db,
    maxChanges,
  };
  const asks = context.interactive && !context.globals.yes;
  const file = context.plan ?? (asks ? pathIn(context.paths.state, 'plans', `${resource.noun}-${randomUUID()}.plan`) : undefined);
  const count = await namingDatabase(db, () => planStatement(context, file, statement));
  if (count === 0 || context.plan !== undefined || context.globals.dryRun) return;
  if (file === undefined)
    throw new UsageError('svc cannot ask you to approve the changes here, so svc sent nothing.', {
      hint: 'Add the changes to a plan, which a person can approve:',
      details: {
        resume: shellCommand([...context.argv.filter((word) => word !== '-y' && word !== '--yes'), '--plan', `${resource.noun}.plan`]),
      },
    });
  try {
    await askAndApply(context, file);
  } catch (error) {
    if (error instanceof SvcError && !(error instanceof DeclinedError))
      throw withMore(error, { lines: [`The plan of these changes stays: ${shellCommand(['plan', 'show', file])}`] });
    await context.files.remove(file);
    throw error;
  }
  await context.files.remove(file);
}
