import { GLOBAL_OPTIONS } from '../cli/globals.ts';
import { type PlacedCommand, spellingsOf, walkTree } from '../cli/resolve.ts';
import { searchCommands } from '../cli/search.ts';
import {
  type ArgSpec,
  type CommandSpec,
  defineCommand,
  type LoadedCommand,
  type OptionSpec,
  type Options,
  text,
  toggle,
} from '../cli/spec.ts';
import { NotFoundError } from '../errors.ts';
import { OUTPUT_FORMATS } from '../output/format.ts';
import type { Context, Needs } from '../session/context.ts';
import { type Printing, printRecord, printRecords, printText } from '../session/print.ts';
import type { JsonObject, JsonValue } from '../values/json.ts';
import { EXIT_CODES } from './help-topics.ts';

export function commandsCommand(root: CommandSpec): LoadedCommand<Context> {
  return defineCommand({
    showsGlobals: ['output', 'fields', 'jq'],
    description:
      'svc prints each command as JSON: its arguments, its flags with types, and its requests. svc adds the token ability that each request needs, and its cost in rate-limit units. The output includes global flags. --search and --brief print one line for each command, and svc <command> --help shows its flags. svc sends no request, and needs no sign-in.',
    args: [
      { name: 'word', summary: 'Print only commands that start with these words, such as worklogs add', optional: true, variadic: true },
    ],
    options: {
      brief: toggle('--brief', 'Print one line for each command, with its usage and its summary'),
      search: text('--search <words>', 'Print the ten commands that match these words best, one line each'),
    },
    examples: [
      { args: 'commands --search "log hours"', does: 'Find the command for a task' },
      { args: 'commands worklogs --brief', does: 'List the commands for worklogs' },
      { args: 'commands worklogs add', does: 'Print one command' },
      { args: 'commands --output json', does: 'Print every command' },
      { args: "commands worklogs --jq '.commands[].command'", does: 'List the names of the commands for worklogs' },
      { args: `commands --jq '.commands[] | select(.sends.method == "GET") | .command'`, does: 'List the commands that only read' },
    ],
    async run(context: Needs<Printing | 'system'>, { args, options }) {
      const { resolveCommand } = await import('../cli/resolve.ts');
      const { path, spec } = await resolveCommand(root, wordsOf(args), {});
      if (options.brief || options.search !== undefined) {
        return printBrief(context, walkTree(spec, path), options.search);
      }
      const described: JsonObject[] = [];
      for await (const place of walkTree(spec, path)) if (place.spec.run !== undefined) described.push(describe(place));
      const { isScreen, format } = await context.presentation();
      if (isScreen || (context.globals.jq === undefined && format !== 'json' && format !== 'yaml'))
        return printRecords(context, described, ['command', 'summary']);
      await printRecord(context, {
        version: context.system.version,
        formats: [...OUTPUT_FORMATS],
        global_flags: flagsOf(GLOBAL_OPTIONS),
        exit_codes: { ...EXIT_CODES },
        commands: described,
      });
    },
  });
}

function wordsOf(args: readonly string[]): string[] {
  const words = args.flatMap((arg) => arg.split(/\s+/)).filter((word) => word !== '');
  return words[0] === 'svc' ? words.slice(1) : words;
}

function describe({ path, spec }: PlacedCommand): JsonObject {
  return {
    command: ['svc', ...path].join(' '),
    summary: spec.summary,
    ...(spec.description !== undefined && { description: spec.description }),
    arguments: (spec.args ?? []).map(argumentOf),
    flags: flagsOf(spec.options ?? {}),
    ...(spec.fields && { record_fields: [...spec.fields] }),
    sends: sendsOf(spec),
    examples: (spec.examples ?? []).map(({ args, does }) => ({ command: `svc ${args}`, does })),
  };
}

/** Describes the request of a command. Null means that the command sends no request, or that the request depends on its arguments. */
function sendsOf({ sends }: CommandSpec): JsonValue {
  if (sends === undefined) return null;
  const { method, path, abilities, cost, per } = sends;
  return {
    method,
    path,
    writes: method !== 'GET',
    needs_one_of: [...abilities],
    units: cost,
    units_per: per,
    budget: method === 'GET' ? 'read' : 'write',
    ...(method === 'DELETE' && { needs_personal_token: true }),
  };
}

function argumentOf({ name, summary, optional, variadic, choices }: ArgSpec): JsonObject {
  return { name, summary, required: optional !== true, repeatable: variadic === true, ...(choices && { values: [...choices] }) };
}

function flagsOf(options: Options): JsonObject[] {
  return Object.values(options)
    .filter(({ hidden }) => !hidden)
    .map(flagOf);
}

function flagOf({ flags, summary, repeatable, choices, completes, type }: OptionSpec): JsonObject {
  const spellings = spellingsOf(flags);
  const [, bracket, placeholder] = /([<[])([^>\]]*)/.exec(flags) ?? [];
  const known = typeof completes === 'object' && 'values' in completes ? completes.values : undefined;
  return {
    flag: spellings.at(-1) ?? flags,
    ...(spellings.length > 1 && { short: spellings[0] ?? '' }),
    type: choices !== undefined ? 'enum' : placeholder === undefined ? 'switch' : (type ?? 'string'),
    ...(placeholder !== undefined && { placeholder }),
    ...(bracket === '[' && { value_optional: true }),
    summary,
    repeatable: repeatable === true,
    ...(choices && { values: [...choices] }),
    ...(choices === undefined && known && { known_values: [...known] }),
    ...(typeof completes === 'object' && 'records' in completes && { refers_to: completes.records }),
  };
}

function argumentText({ name, optional, variadic, choices }: ArgSpec): string {
  const text = choices?.join('|') ?? name;
  return `${optional ? `[${text}]` : `<${text}>`}${variadic ? '...' : ''}`;
}

const MOST = 10;

/** Prints a line for each command, or for the best matches of `search`. @throws NotFoundError for a search without a match. */
async function printBrief(context: Needs<Printing>, tree: AsyncIterable<PlacedCommand>, search: string | undefined): Promise<void> {
  const places = await Array.fromAsync(tree);
  const found = search === undefined ? places.filter(({ spec }) => spec.run !== undefined) : searchCommands(places, search);
  if (search !== undefined && found.length === 0)
    throw new NotFoundError(`No command matches "${search}".`, {
      hint: 'Search for an action and a resource: svc commands --search "log hours". All commands: svc commands --brief',
    });
  const shown = (search === undefined ? found : found.slice(0, MOST)).map(({ path, spec }) => ({
    usage: ['svc', ...path, ...(spec.args ?? []).map(argumentText)].join(' '),
    summary: spec.summary,
  }));
  const { output, fields, jq } = context.globals;
  if ((output ?? fields ?? jq) !== undefined) await printRecords(context, shown, ['usage', 'summary']);
  else await printText(context, shown.map(({ usage, summary }) => `${usage}  ${summary}\n`).join(''));
  if (found.length > shown.length)
    await context.notice(`${found.length - shown.length} other commands match fewer of the words. Add words to the search.`);
}
