import { Argument, Command, CommanderError, Option } from 'commander';
import { UsageError } from '../errors.ts';
import { ownEntry } from '../values/json.ts';
import { didYouMean } from '../values/suggest.ts';
import { withFlagName } from './naming.ts';
import { spellingsOf, unknownFlag } from './resolve.ts';
import type { CommandSpec, OptionSpec, Options } from './spec.ts';

export interface Input {
  readonly args: readonly string[];
  readonly options: Readonly<Record<string, unknown>>;
  readonly globals: Readonly<Record<string, unknown>>;
  readonly help: boolean;
  /** The values that can contain a secret. Each value maps to the text that svc stores and shows instead. */
  readonly secrets: ReadonlyMap<string, string>;
}

/** Parses the flags and arguments of one command. @throws UsageError for an unknown, invalid or missing flag or argument. */
export function parseInput(spec: CommandSpec, path: readonly string[], globals: Options, args: readonly string[]): Input {
  const own = spec.options ?? {};
  const shared = withoutOverridden(globals, own);
  const command = buildCommand(spec, path, shared);
  // help.ts renders help. Commander’s own help would open the terminal’s stream. Opening the stream takes longer than the whole parsing.
  command.outputHelp = () => undefined;
  const secrets = new Map<string, string>();
  for (const { flags, withheld } of [...Object.values(own), ...Object.values(shared)]) {
    if (withheld === undefined) continue;
    // svc uses only the last value of a repeated flag, but every value can be a secret.
    command.on(`option:${new Option(flags).name()}`, (value: string) => secrets.set(value, withheld(value)));
  }
  try {
    command.parse(args.map(shielded), { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError && error.code === 'commander.helpDisplayed')
      return { args: [], options: {}, globals: {}, help: true, secrets };
    throw error instanceof CommanderError ? usageError(error, path, own, shared) : error;
  }
  const values = Object.fromEntries(
    Object.entries(command.opts<Record<string, unknown>>()).map(([name, value]) => [name, unshielded(value)]),
  );
  return {
    args: command.args.map((arg) => String(unshielded(arg))),
    options: readOptions(own, values),
    globals: readOptions(shared, values),
    help: false,
    secrets,
  };
}

/**
 * Replaces the secrets in the words of a command line. The value of a flag is a word or the end of a word: `-H v`, `-Hv`, `-iHv`,
 * `--header=v`.
 *
 * @param secrets The secrets that {@link parseInput} found in this command line.
 */
export function withoutSecrets(argv: readonly string[], secrets: Input['secrets']): string[] {
  const longestFirst = [...secrets].filter(([value]) => value !== '').sort(([one], [other]) => other.length - one.length);
  return argv.map((word) => {
    const found = longestFirst.find(([value]) => word === value || (word.startsWith('-') && word.endsWith(value)));
    return found === undefined ? word : word.slice(0, -found[0].length) + found[1];
  });
}

/** Returns the word, with a space before a relative day such as `-3d`. Commander would read such a word as a flag. */
function shielded(word: string): string {
  return /^-\d+[dwmy]$/i.test(word) ? ` ${word}` : word;
}

function unshielded(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unshielded);
  return typeof value === 'string' && /^ -\d+[dwmy]$/i.test(value) ? value.slice(1) : value;
}

function withoutOverridden(globals: Options, own: Options): Options {
  const taken = new Set(Object.values(own).flatMap((option) => spellingsOf(option.flags)));
  return Object.fromEntries(
    Object.entries(globals).filter(([, option]) => !spellingsOf(option.flags).some((spelling) => taken.has(spelling))),
  );
}

export function buildCommand(spec: CommandSpec, path: readonly string[], globals: Options): Command {
  const command = new Command(['svc', ...path].join(' '));
  command.exitOverride().addHelpOption(new Option('-h, --help', 'Show this help').helpGroup(`${EVERYWHERE}:`));
  command.configureOutput({ writeOut: () => undefined, writeErr: () => undefined });
  for (const arg of spec.args ?? []) {
    const name = arg.variadic ? `${arg.name}...` : arg.name;
    const argument = new Argument(arg.optional ? `[${name}]` : `<${name}>`, summaryOf(arg));
    if (arg.choices !== undefined) argument.argParser((value: string) => oneOf(value, arg.choices ?? [], arg.name));
    command.addArgument(argument);
  }
  for (const option of Object.values(spec.options ?? {})) command.addOption(buildOption(option, 'Options'));
  for (const option of Object.values(globals)) command.addOption(buildOption(option, EVERYWHERE));
  return command;
}

export const EVERYWHERE = 'Everywhere';

function buildOption(spec: OptionSpec, group: string): Option {
  const option = new Option(spec.flags, summaryOf(spec)).helpGroup(`${spec.group ?? group}:`);
  if (spec.hidden) option.hideHelp();
  if (spec.repeatable) option.argParser((value: string, before: readonly string[] | undefined) => [...(before ?? []), value]);
  if (spec.choices !== undefined) option.argParser((value: string) => oneOf(value, spec.choices ?? [], spec.flags));
  return option;
}

function summaryOf({ summary, choices }: { readonly summary: string; readonly choices?: readonly string[] }): string {
  return choices === undefined ? summary : `${summary}: ${choices.join(', ')}`;
}

function oneOf(value: string, choices: readonly string[], name: string): string {
  if (choices.includes(value)) return value;
  throw new UsageError(`${longest(name)}: "${value}" is not an allowed value.`, {
    hint: didYouMean(value, choices, `Allowed: ${choices.join(', ')}.`),
  });
}

function readOptions(options: Options, values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const read: Record<string, unknown> = {};
  for (const [key, spec] of Object.entries(options)) {
    const option = new Option(spec.flags);
    const value = ownEntry(values, option.attributeName());
    // Commander has one value for `--manager <id>` and `--no-manager`: false for `--no-manager`, and true for neither flag.
    const given = option.negate ? value === false : value !== undefined && value !== false && !(value === true && option.required);
    if (!given) continue;
    if (option.negate) read[key] = true;
    else read[key] = spec.parse === undefined ? value : readValue(spec, String(value));
  }
  return read;
}

function readValue(spec: OptionSpec, value: string): unknown {
  try {
    return spec.parse?.(value);
  } catch (error) {
    throw withFlagName(longest(spec.flags), error);
  }
}

function longest(flags: string): string {
  return spellingsOf(flags).at(-1) ?? flags;
}

function usageError(error: CommanderError, path: readonly string[], own: Options, shared: Options): UsageError {
  const name = ['svc', ...path].join(' ');
  const quoted = /'([^']*)'/.exec(error.message)?.[1] ?? '';
  const see = `See: ${name} --help`;
  switch (error.code) {
    case 'commander.unknownOption':
      return unknownFlag(quoted, path, { ...shared, ...own });
    case 'commander.missingArgument':
      return new UsageError(`"${name}" needs <${quoted}>.`, { hint: see });
    case 'commander.optionMissingArgument':
      return new UsageError(`${longest(quoted)} needs a value: ${quoted}.`, {
        hint: longest(quoted) === '--json' ? `All fields as JSON: --output json. ${see}` : see,
      });
    case 'commander.excessArguments':
      return new UsageError(`Too many arguments for "${name}".`, {
        hint: `Quote texts that have spaces. A value needs its flag. ${see}`,
      });
    default:
      return new UsageError(error.message, { hint: see });
  }
}
