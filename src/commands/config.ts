import { naming } from '../cli/naming.ts';
import { defineCommand, defineGroup } from '../cli/spec.ts';
import { type Setting, settingsTable } from '../config/settings.ts';
import { SvcError, UsageError } from '../errors.ts';
import { OUTPUT_FORMATS } from '../output/format.ts';
import type { Context, Needs } from '../session/context.ts';
import { type Printing, printRecords } from '../session/print.ts';
import { didYouMean } from '../values/suggest.ts';

const SETTINGS = settingsTable(OUTPUT_FORMATS);
const NAMES = SETTINGS.map((setting) => setting.name);

function findSetting(name: string | undefined): Setting {
  const setting = SETTINGS.find((candidate) => candidate.name === name);
  if (setting !== undefined) return setting;
  throw new UsageError(`svc has no setting "${name}".`, { hint: didYouMean(name ?? '', NAMES, `Settings: ${NAMES.join(', ')}.`) });
}

const nameArgument = { name: 'name', summary: `One of: ${NAMES.join(', ')}`, completes: { values: NAMES } };

const get = defineCommand({
  name: 'get',
  summary: 'Print a setting',
  description: 'svc exits with 1 if the setting is not set.',
  args: [nameArgument],
  examples: [{ args: 'config get timezone', does: 'Print the time zone' }],
  async run(context: Needs<'configFile' | 'stdio'>, { args }) {
    const { name } = findSetting(args[0]);
    const value = (await context.configFile.read())[name];
    if (value === undefined) throw new SvcError(`${name} is not set.`, { hint: `To set ${name}: svc config set ${name} <value>` });
    await context.stdio.stdout.writeData(`${value}\n`);
  },
});

const set = defineCommand({
  name: 'set',
  summary: 'Change a setting',
  args: [nameArgument, { name: 'value', summary: 'The new value' }],
  examples: [
    { args: 'config set timezone Europe/Amsterdam', does: 'Set the time zone' },
    { args: 'config set pager cat', does: 'Print long tables and records without a pager' },
  ],
  async run(context: Needs<'configFile' | 'notice'>, { args }) {
    const { name, check } = findSetting(args[0]);
    const value = await naming(name, () => check(args[1] ?? ''));
    await context.configFile.set(name, value);
    await context.notice(`${name} is now ${value}.`);
  },
});

const unset = defineCommand({
  name: 'unset',
  summary: 'Remove a setting',
  args: [nameArgument],
  examples: [{ args: 'config unset pager', does: 'Use the default pager again' }],
  async run(context: Needs<'configFile' | 'notice'>, { args }) {
    const { name } = findSetting(args[0]);
    const removed = await context.configFile.unset(name);
    await context.notice(removed ? `${name} is no longer set.` : `${name} was not set.`);
  },
});

const list = defineCommand({
  name: 'list',
  summary: 'List every setting with its meaning',
  examples: [{ args: 'config list', does: 'List all settings' }],
  async run(context: Needs<Printing | 'configFile'>) {
    const settings = await context.configFile.read();
    const rows = SETTINGS.map(({ name, summary }) => ({ name, value: settings[name] ?? null, summary }));
    await printRecords(context, rows, ['name', 'value', 'summary']);
  },
});

const path = defineCommand({
  name: 'path',
  summary: 'Print the path of the settings file',
  examples: [{ args: 'config path', does: 'Print the path of config.json' }],
  async run(context: Needs<'configFile' | 'stdio'>) {
    await context.stdio.stdout.writeData(`${context.configFile.path}\n`);
  },
});

const edit = defineCommand({
  name: 'edit',
  showsGlobals: [],
  summary: 'Change the settings in your editor',
  description:
    'svc opens the settings as JSON in your editor: SVC_EDITOR, VISUAL, EDITOR, or the setting editor. svc checks the settings before it saves them. If svc cannot read a setting, svc names the setting and saves your text in a file.',
  examples: [{ args: 'config edit', does: 'Edit all settings' }],
  async run(context: Needs<'configFile' | 'env' | 'files' | 'interactive' | 'notice' | 'paths' | 'programs' | 'settings' | 'system'>) {
    if (!context.interactive) throw new UsageError('Editing needs a terminal.', { hint: 'In a script: svc config set <name> <value>' });
    const { editText, editorCommand, withDraftFile } = await import('./editor.ts');
    const { configFile } = context;
    const before = (await configFile.text()) ?? '{}\n';
    // `svc config edit` must also open settings that svc cannot read. svc then ignores the setting `editor`.
    const editor = await editorCommand({ ...context, settings: () => context.settings().catch(() => ({})) });
    await withDraftFile(context, { name: 'config', extension: 'json', content: before }, async (file) => {
      const after = await editText(context, editor, file);
      if (after === before || after.trim() === '') return context.notice('svc changed nothing.');
      await configFile.replace(after);
      await context.notice(`Saved ${configFile.path}`);
    });
  },
});

export const config = defineGroup<Context>({
  summary: 'Read and change settings: default host, output, time zone, pager, browser',
  commands: [get, set, unset, list, edit, path],
});
