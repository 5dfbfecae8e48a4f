import type { ActionName, OwnExtra, OwnWay, Resource, Verb } from '../../catalog/define.ts';
import { notesOf, singularName, verbsOf } from '../../catalog/rules.ts';
import { type CommandEntry, commandEntry, defineGroup, type LoadedCommand } from '../../cli/spec.ts';
import { aliasesOf } from '../../cli/tool-aliases.ts';
import { type Command, summaryOf } from '../../cli/words.ts';
import { NotFoundError, RefusedError } from '../../errors.ts';
import type { Context } from '../../session/context.ts';
import { annotated } from './annotated.ts';
import { groupExamples } from './examples.ts';

const READ = 'Look';
const WRITE = 'Change';

export function resourceCommand(resource: Resource): LoadedCommand<Context> {
  return defineGroup({
    description: notesOf(resource).join(' ') || undefined,
    commands: [
      ...verbsOf(resource).flatMap((verb) => verbEntries(resource, verb)),
      ...actionEntries(resource),
      ...extraEntries(resource),
      ...operationEntries(resource),
      ...(resource.nested ?? []).map((nested) => resourceEntry(nested, `Child records of a ${singularName(resource)}`)),
    ],
    examples: groupExamples(resource),
  });
}

export function resourceEntry(resource: Resource, group: string): CommandEntry<Context> {
  const { noun, singular, summary } = resource;
  return commandEntry({ name: noun, aliases: [singular], summary, group }, async () => resourceCommand(resource));
}

/** The commands of each verb in the catalog. `edit` belongs to update, and `import` to create. */
const COMMANDS: Readonly<Record<Verb, readonly Command[]>> = {
  list: ['list'],
  get: ['get'],
  create: ['create', 'import'],
  update: ['update', 'edit'],
  delete: ['delete'],
};

const LOADERS: Readonly<Record<Command, (resource: Resource) => Promise<LoadedCommand<Context>>>> = {
  list: async (resource) => (await import('./read-commands.ts')).listCommand(resource),
  get: async (resource) => (await import('./read-commands.ts')).getCommand(resource),
  create: async (resource) => (await import('./write-commands.ts')).createCommand(resource),
  import: async (resource) => (await import('./write-commands.ts')).importCommand(resource),
  update: async (resource) => (await import('./write-commands.ts')).updateCommand(resource),
  edit: async (resource) => (await import('./write-commands.ts')).editCommand(resource),
  delete: async (resource) => (await import('./write-commands.ts')).deleteCommand(resource),
};

function verbEntries(resource: Resource, verb: Verb): readonly CommandEntry<Context>[] {
  return COMMANDS[verb].map((command) => {
    const { name, aliases } = (command === 'create' ? resource.createAs : undefined) ?? { name: command, aliases: [] };
    const group = verb === 'list' || verb === 'get' ? READ : WRITE;
    return commandEntry({ name, aliases: [...aliases, ...aliasesOf(command)], summary: summaryOf(resource, command), group }, async () => {
      const plain = await LOADERS[command](resource);
      const own = resource.ownCommands?.find((candidate) => 'insteadOf' in candidate && candidate.insteadOf === command);
      const spec = own !== undefined && 'insteadOf' in own ? await inOwnWay(resource, own.code, plain) : plain;
      return explained(resource, verb, annotated(resource, command, spec));
    });
  });
}

/**
 * Returns svc’s own command for a verb. Returns the plain command if the organisation’s API spec lacks a field that svc’s own command
 * needs. In place of `log-hours`, the plain command accepts only flags.
 */
async function inOwnWay(resource: Resource, code: OwnWay, plain: LoadedCommand<Context>): Promise<LoadedCommand<Context>> {
  if ((resource.described?.lacks ?? []).length === 0) return WAYS[code](plain, resource);
  return code === 'log-hours' ? (await import('../needed.ts')).withoutWords(resource, plain) : plain;
}

function extraEntries(resource: Resource): readonly CommandEntry<Context>[] {
  return (resource.ownCommands ?? []).flatMap((own) => {
    if ('insteadOf' in own) return [];
    const { name, summary, onlyReads, code } = own;
    const checked = async () => (await import('../needed.ts')).needing(`${resource.noun} ${name}`, await EXTRAS[code](), code);
    return [commandEntry({ name, summary, group: onlyReads ? READ : WRITE }, resource.described === undefined ? EXTRAS[code] : checked)];
  });
}

function actionEntries(resource: Resource): readonly CommandEntry<Context>[] {
  return (resource.actions ?? []).map(({ name, summary }) =>
    commandEntry({ name, summary, group: 'Actions' }, async () =>
      explained(resource, 'update', annotated(resource, name, await ACTIONS[name](resource))),
    ),
  );
}

function operationEntries(resource: Resource): readonly CommandEntry<Context>[] {
  return (resource.described?.commands ?? []).map((operation) => {
    const { name, method, path, summary = `${method} ${path}` } = operation;
    return commandEntry({ name, summary: summary.replace(/\.$/, ''), group: 'Actions' }, async () =>
      (await import('./operation.ts')).operationCommand(resource, operation),
    );
  });
}

function explained(resource: Resource, verb: Verb, spec: LoadedCommand<Context>): LoadedCommand<Context> {
  const { run } = spec;
  if (run === undefined) return spec;
  return {
    ...spec,
    async run(context: Context, input) {
      try {
        await run(context, input);
      } catch (error) {
        if (!(error instanceof NotFoundError) && !(error instanceof RefusedError)) throw error;
        const { explainFailure } = await import('./explain-failure.ts');
        throw await explainFailure(context, resource, verb, error);
      }
    },
  };
}

type Spec = LoadedCommand<Context>;

/** The code of each action in the catalog. An action without code is a type error. */
const ACTIONS: Readonly<Record<ActionName, (resource: Resource) => Promise<Spec>>> = {
  transition: async (resource) => (await import('../actions/transition.ts')).transitionCommand(resource),
  move: async (resource) => (await import('../actions/act.ts')).moveCommand(resource),
  complete: async (resource) => (await import('../actions/act.ts')).completeCommand(resource),
  apply: async (resource) => (await import('../actions/apply.ts')).applyCommand(resource),
};

const WAYS: Readonly<Record<OwnWay, (plain: Spec, resource: Resource) => Promise<Spec>>> = {
  'log-hours': async (plain) => (await import('../time/add.ts')).addCommand(plain),
  'edit-days': async (plain) => (await import('../time/edit-days.ts')).editDaysCommand(plain),
  'import-hours': async (_, resource) => {
    const [{ importCommand }, { hoursTranslation }] = await Promise.all([
      import('./write-commands.ts'),
      import('../time/import/import-hours.ts'),
    ]);
    return importCommand(resource, hoursTranslation);
  },
};

const EXTRAS: Readonly<Record<OwnExtra, () => Promise<Spec>>> = {
  'suggest-hours': async () => (await import('../time/suggest/suggest.ts')).suggest,
  'copy-hours': async () => (await import('../time/copy.ts')).copyHours,
  'add-leave': async () => (await import('../leave/add-leave.ts')).addLeave,
  'who-is-away': async () => (await import('../leave/who.ts')).whoIsAway,
  'start-timer': async () => (await import('../time/timers/start.ts')).startTimer,
  'continue-timer': async () => (await import('../time/timers/continue.ts')).continueTimer,
  'stop-timer': async () => (await import('../time/timers/stop.ts')).stopTimer,
  'switch-timer': async () => (await import('../time/timers/switch.ts')).switchTimer,
  'cancel-timer': async () => (await import('../time/timers/cancel.ts')).cancelTimer,
  'timer-status': async () => (await import('../time/timers/status.ts')).timerStatus,
  'absence-calendar': async () => (await import('../leave/absence-calendar.ts')).absenceCalendar,
  'used-days': async () => (await import('../leave/used-leave.ts')).usedDays,
  'burn-budgets': async () => (await import('../planning/budgets-burn.ts')).budgetsBurn,
  'attach-files': async () => (await import('../files/send-files.ts')).attachFiles,
  'upload-files': async () => (await import('../files/send-files.ts')).uploadFiles,
  'download-files': async () => (await import('../files/download.ts')).downloadFiles,
  'users-capacity': async () => (await import('../planning/capacity.ts')).usersCapacity,
  'burn-down': async () => (await import('../planning/burndown.ts')).burndown,
};
