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
    summary: 'Every command as data, for programs and agents',
    description:
      'As JSON: each command with its arguments, flags and their types, what it sends, which ability of the token that needs, and what it costs of the rate limit; and the flags that work everywhere. All of that is long: --search and --brief give a line for each command, and svc <command> --help its flags. Asks nobody and needs no sign-in.',
    args: [{ name: 'word', summary: 'Only what lies below these words, such as worklogs add', optional: true, variadic: true }],
    options: {
      brief: toggle('--brief', 'A line for each command: what is typed, and what it does'),
      search: text('--search <words>', 'The ten commands that these words fit best, a line each'),
    },
    examples: [
      { args: 'commands --search "log hours"', does: 'How that is done' },
      { args: 'commands worklogs --brief', does: 'What there is for worklogs' },
      { args: 'commands worklogs add', does: 'All of one command' },
      { args: 'commands --output json', does: 'Everything' },
      { args: "commands worklogs --jq '.commands[].command'", does: 'What can be done with worklogs' },
      { args: `commands --jq '.commands[] | select(.sends.method == "GET") | .command'`, does: 'What only reads' },
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
