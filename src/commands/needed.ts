import type { OwnExtra, Resource } from '../catalog/define.ts';
import { singularName } from '../catalog/rules.ts';
import { commandEntry, type LoadedCommand } from '../cli/spec.ts';
import { commandWords } from '../cli/words.ts';
import { NotFoundError } from '../errors.ts';
import type { Context } from '../session/context.ts';
import { ownEntry } from '../values/json.ts';

type Needed = Readonly<Record<string, readonly string[]>>;

const HOURS: Needed = { worklogs: ['date', 'minutes'] };
const LEAVE: Needed = { absences: ['start', 'end', 'user_id'] };
const RUNNING: Needed = { timers: ['started_at'] };

/** The fields that some commands need. A command shows the value of any other missing field as unknown. */
const NEEDED: Readonly<Record<string, Needed>> = {
  status: HOURS,
  week: HOURS,
  report: HOURS,
  billing: HOURS,
  check: HOURS,
  close: HOURS,
};

const NEEDED_BY: Readonly<Partial<Record<OwnExtra, Needed>>> = {
  'suggest-hours': HOURS,
  'copy-hours': HOURS,
  'add-leave': LEAVE,
  'who-is-away': LEAVE,
  'absence-calendar': LEAVE,
  'used-days': LEAVE,
  'start-timer': RUNNING,
  'continue-timer': RUNNING,
  'stop-timer': { ...RUNNING, ...HOURS },
  'switch-timer': { ...RUNNING, ...HOURS },
  'cancel-timer': RUNNING,
  'timer-status': RUNNING,
  'burn-budgets': { budgets: ['budget'], ...HOURS },
  'burn-down': { ...HOURS, 'work-items': ['sprint_id'] },
};

/**
 * Makes a command check, before its first request, that the API spec has the fields that the command needs.
 *
 * @throws NotFoundError that names the missing fields, or for a missing resource.
 */
export function needing(command: string, spec: LoadedCommand<Context>, extra?: OwnExtra): LoadedCommand<Context> {
  const needed = extra === undefined ? ownEntry(NEEDED, command) : NEEDED_BY[extra];
  if (needed === undefined) return spec;
  const { run, commands } = spec;
  return {
    ...spec,
    ...(commands !== undefined && {
      commands: commands.map((entry) => commandEntry(entry, async () => needing(command, await entry.load()))),
    }),
    ...(run !== undefined && {
      async run(context: Context, input) {
        for (const [noun, fields] of Object.entries(needed)) {
          context.catalog.checkMissing?.(noun);
          const resource = await context.catalog.find(noun);
          const lacking = fields.filter((name) => resource !== undefined && !Object.hasOwn(resource.fields, name));
          if (resource?.described !== undefined && lacking.length > 0) throw lacks(`svc ${command}`, resource, lacking);
        }
        await run(context, input);
      },
    }),
  };
}

/** Makes a create command with flags only, for an organisation whose records lack fields of a natural-language entry. */
export function withoutWords(resource: Resource, plain: LoadedCommand<Context>): LoadedCommand<Context> {
  const { run } = plain;
  if (run === undefined) return plain;
  return {
    ...plain,
    args: [{ name: 'words', summary: 'Not available: use flags for the fields of your organisation', optional: true, variadic: true }],
    async run(context: Context, input) {
      if (input.args.length > 0) throw lacks(`svc ${commandWords(resource, 'create')} in words`, resource, resource.described?.lacks ?? []);
      await run(context, input);
    },
  };
}

function lacks(command: string, resource: Resource, fields: readonly string[]): NotFoundError {
  return new NotFoundError(
    `${command} needs the ${fields.join(' and the ')} of a ${singularName(resource)}, and ${resource.described?.host} does not have ${fields.length === 1 ? 'this field' : 'these fields'}.`,
    { hint: `To see the fields: svc resources ${resource.noun}. To see the flags: svc ${commandWords(resource, 'create')} --help` },
  );
}
