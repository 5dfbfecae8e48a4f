import { EXIT_CODES } from '../cli/exit-codes.ts';
import { GLOBAL_OPTIONS } from '../cli/globals.ts';
import { spellingsOf } from '../cli/resolve.ts';
import { type ArgSpec, type CommandSpec, defineCommand, type OptionSpec, type Options, text, toggle } from '../cli/spec.ts';
import { type PlacedCommand, walkTree } from '../cli/tree.ts';
import { OUTPUT_FORMATS } from '../output/format.ts';
import type { Context, Needs } from '../session/context.ts';
import type { Printing } from '../session/print.ts';
import { printRecord, printRecords } from '../session/print.ts';
import type { JsonObject, JsonValue } from '../values/json.ts';

/** `svc commands`: the whole tree as data, from the same specs that parsing and help read. */
export function commandsCommand(root: CommandSpec): CommandSpec<Context> {
  return defineCommand({
    name: 'commands',
    showsGlobals: ['output', 'fields', 'jq'],
    summary: 'Print every command as data, for programs and agents',
    description:
      'svc prints each command as JSON: its arguments, its flags with types, and its requests. It adds the token ability that each request needs, and its cost in rate-limit units. Global flags are included. The output is long. --search and --brief print one line for each command, and svc <command> --help shows its flags. svc sends no request, and needs no sign-in.',
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
        const { printBrief } = await import('./commands-brief.ts');
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

/** The words that lead to a command, however they were quoted, with svc before them or not. */
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

/** Null: it sends nothing, or what its arguments say. */
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
  const placeholder = /<([^>]*)>/.exec(flags)?.[1];
  const known = typeof completes === 'object' && 'values' in completes ? completes.values : undefined;
  return {
    flag: spellings.at(-1) ?? flags,
    ...(spellings.length > 1 && { short: spellings[0] ?? '' }),
    type: choices !== undefined ? 'enum' : placeholder === undefined ? 'switch' : (type ?? 'string'),
    ...(placeholder !== undefined && { placeholder }),
    summary,
    repeatable: repeatable === true,
    ...(choices && { values: [...choices] }),
    ...(choices === undefined && known && { known_values: [...known] }),
    ...(typeof completes === 'object' && 'records' in completes && { refers_to: completes.records }),
  };
}
