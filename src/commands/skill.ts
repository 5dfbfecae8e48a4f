import { resolve } from 'node:path';
import { commandEntry, defineCommand, defineGroup, text, toggle } from '../cli/spec.ts';
import { DeclinedError, UsageError } from '../errors.ts';
import type { Asking, Context, Needs } from '../session/context.ts';
import { type Printing, printRecord, printText } from '../session/print.ts';
import { homePath } from '../values/home-path.ts';

const GROUP = 'Commands';

/** Where agents of any make look for skills, below the home of a person or the root of a project. */
const USUAL = ['.agents', 'skills'] as const;

/** A larger file at its place is somebody's own. */
const MOST_BYTES = 64 * 1024;

const show = defineCommand({
  name: 'show',
  showsGlobals: [],
  summary: 'Print instructions for agents',
  description:
    'svc prints the text that svc skill install writes. The text explains svc, its rules and its exit codes, and how to find a command.',
  examples: [{ args: 'skill show', does: 'Print the instructions' }],
  async run(context: Needs<'stdio' | 'system'>) {
    const { skillText } = await import('./skill-text.ts');
    await printText(context, skillText(context.system.version));
  },
});

const install = defineCommand({
  name: 'install',
  showsGlobals: ['output', 'yes'],
  summary: 'Install the instructions as an agent skill',
  description:
    'svc writes a folder svc with a SKILL.md, in the open format Agent Skills. The default place is .agents/skills in your home directory, which agents of any make read. svc asks before it overwrites a file that somebody changed; --yes answers that question. svc updates a file that another version of svc wrote.',
  options: {
    dir: text('--dir <directory>', 'Write to this directory of skills, such as ~/.claude/skills', {
      type: 'directory',
      completes: 'directory',
    }),
    project: toggle('--project', 'Write to .agents/skills of the current directory, for everybody who works there'),
  },
  examples: [
    { args: 'skill install', does: 'Install for your own agents' },
    { args: 'skill install --project', does: 'Install for the project in this directory' },
    { args: 'skill install --dir .github/skills', does: 'Install for an agent with another directory' },
  ],
  async run(context: Needs<Installing>, { options }) {
    if (options.dir !== undefined && options.project)
      throw new UsageError('--dir and --project both say where.', { hint: 'Use one of them.' });
    const { cwd, home, version } = context.system;
    const directory = options.dir === undefined ? resolve(options.project ? cwd : home, ...USUAL) : resolve(cwd, options.dir);
    const path = resolve(directory, 'svc', 'SKILL.md');
    const { skillText } = await import('./skill-text.ts');
    const wanted = skillText(version);
    const there = await lookAt(context, path, wanted);
    if (there === 'changed') await agree(context, path);
    if (there !== 'same') await context.files.writeAtomic(path, wanted, 0o644);
    if ((await context.presentation()).isUnasked) await context.notice(`${homePath(path, home)} ${SAID[there]}`);
    else await printRecord(context, { path, written: there !== 'same' });
  },
});

type Installing = Printing | Asking | 'files' | 'system';

/** What is at the place of the skill: nothing, the very text, that of another version, or something of somebody's own. */
type Found = 'nothing' | 'same' | 'old' | 'changed';

const SAID: Readonly<Record<Found, string>> = {
  nothing: 'is there now.',
  same: 'is there already.',
  old: 'is up to date now.',
  changed: 'is written over.',
};

/** @throws UsageError where something else than a file is in the way. */
async function lookAt({ files }: Needs<'files'>, path: string, wanted: string): Promise<Found> {
  const stat = await files.stat(path);
  if (stat === undefined) return 'nothing';
  if (!stat.isFile) throw new UsageError(`${path} is no file.`, { hint: 'Name another directory with --dir.' });
  if (stat.size > MOST_BYTES) return 'changed';
  const text = await files.readText(path);
  if (text === wanted) return 'same';
  const { isUntouched } = await import('./skill-text.ts');
  return text !== undefined && isUntouched(text) ? 'old' : 'changed';
}

/** @throws UsageError where nobody can be asked, DeclinedError for a no. */
async function agree(context: Needs<Installing>, path: string): Promise<void> {
  if (context.globals.yes) return;
  if (!context.interactive)
    throw new UsageError(`${path} was changed by somebody.`, { hint: 'Look at it, then write over it with --yes.' });
  if (!(await context.prompts.confirm(`${path} was changed by somebody. Write over it?`, context.signal)))
    throw new DeclinedError('It was left as it is.', { hint: 'You said no.' });
}

/** `svc skill show|install`: what an agent has to know. */
export const skill = defineGroup<Context>({
  name: 'skill',
  summary: 'Show and install instructions for agents',
  commands: [commandEntry(show, GROUP), commandEntry(install, GROUP)],
  examples: [
    { args: 'skill install', does: 'Install the instructions for your agents' },
    { args: 'skill show', does: 'Print the instructions' },
  ],
});
