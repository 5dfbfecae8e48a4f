import { aliasesOf } from './habits.ts';

/**
 * A command as data, for help, completions, the reference and parsing. Only `parse.ts` and `help.ts` know commander.
 *
 * `Context` is the type of the first argument of `run`. Every command is also a plain `CommandSpec`, which code can read and not run.
 */
export interface CommandSpec<in Context = never> {
  readonly name: string;
  /** One line: a capital, no full stop. */
  readonly summary: string;
  /** Full sentences, which help shows above the options. */
  readonly description?: string | undefined;
  readonly args?: readonly ArgSpec[];
  readonly options?: Options;
  readonly examples?: readonly Example[];
  /** The terms of a help topic, with their meanings. */
  readonly rows?: readonly (readonly [term: string, text: string])[];
  /** The topics of `svc help <topic>`; only the root has them. */
  readonly topics?: readonly CommandEntry<Context>[];
  /** The commands of a group. A spec has either these or `run`. */
  readonly commands?: readonly CommandEntry<Context>[];
  /** The global flags in the help of this command. Default: host, output, fields and jq. */
  readonly showsGlobals?: readonly string[];
  /** The fields of the printed records, if svc knows them. */
  readonly fields?: readonly string[];
  /** The request of a command that sends one, or one for each record. */
  readonly sends?: Sends;
  readonly run?: (context: Context, input: CommandInput) => Promise<void>;
}

/** The arguments of a command, and the values of its flags under their keys, read by their specs. */
export interface CommandInput {
  readonly args: readonly string[];
  readonly options: Readonly<Record<string, unknown>>;
}

/** The request of a command. */
export interface Sends {
  readonly method: string;
  /** The path under /api/v2, with `{name}` for an argument: `/work-items/{work_item}`. */
  readonly path: string;
  /** The abilities that permit the request; the token needs one of them: `api:read:times`. */
  readonly abilities: readonly string[];
  /** The cost of a plain request, in rate-limit units. */
  readonly cost: number;
  readonly per: 'page' | 'record';
}

/** The completions of a flag or an argument. The person can type other values too. */
export type Completes =
  | 'file'
  | 'directory'
  | 'host'
  | 'alias'
  /** A table of the local database. */
  | 'table'
  /** A file after `@`, as in `@notes.md` and `description=@notes.html`. */
  | 'at-file'
  /**
   * Records of a resource, by key, name or id. `as: 'name'` offers each name once. `as: 'move'` offers the statuses that the workflow allows
   * next for the work item of the first argument. `or` has words that stand for a record. `behind` maps a prefix to its resource, as in
   * `project:Web shop`.
   */
  | {
      readonly records: string;
      readonly as?: 'name' | 'move';
      readonly or?: readonly string[];
      readonly behind?: Readonly<Record<string, string>>;
    }
  /** Fixed values; `list`: several, with commas between them. */
  | { readonly values: readonly string[]; readonly list?: true };

/** A command in the tree. svc loads its spec when a line names the command. */
export interface CommandEntry<in Context = never> {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly summary: string;
  /** The heading in help. */
  readonly group: string;
  /** Leaves the command out of help and completion; the command still works. */
  readonly hidden?: true;
  /** The area of a resource: help lists the resources of an area on one line, without their summaries. */
  readonly line?: string;
  readonly load: () => Promise<CommandSpec<Context>>;
}

export interface ArgSpec {
  /** As help shows it: `id`. */
  readonly name: string;
  readonly summary: string;
  readonly optional?: true;
  /** Takes all further arguments; only the last argument can. */
  readonly variadic?: true;
  readonly choices?: readonly string[];
  readonly completes?: Completes;
}

export interface Example {
  /** After `svc `. */
  readonly args: string;
  readonly does: string;
}

/** A flag. `Value` is the type of its value in `run`. */
export interface OptionSpec<Value = unknown> {
  /** As commander reads it: `-o, --output <format>`. */
  readonly flags: string;
  readonly summary: string;
  /** The heading in help; default `Options`. */
  readonly group?: string;
  /** Leaves the flag out of help; the flag still works. */
  readonly hidden?: true;
  /** Collects the values of a repeated flag. */
  readonly repeatable?: true;
  readonly choices?: readonly string[];
  /** The type of the value in `svc commands`. Default: `string`, or `switch` for a flag without a value. */
  readonly type?: FlagType;
  /** Reads the typed text. @throws UsageError, to which svc adds the flag's name. */
  readonly parse?: (text: string) => Value;
  /** For a value that can hold a secret: the text that svc stores and shows. Default: the value. */
  readonly withheld?: (text: string) => string;
  readonly completes?: Completes;
}

/** The type of a flag's value in `svc commands`. */
export type FlagType =
  | 'string'
  | 'integer'
  | 'decimal'
  | 'money'
  | 'percentage'
  | 'id'
  | 'id-or-name'
  | 'work-item'
  | 'user'
  | 'date'
  | 'date-time'
  | 'time'
  | 'year'
  | 'duration'
  | 'seconds'
  | 'json'
  | 'file'
  | 'directory'
  | 'host';

export type Options = Readonly<Record<string, OptionSpec>>;

/** The value of each flag in `run`. A switch is `true` or undefined. */
export type OptionValues<O extends Options> = {
  readonly [K in keyof O]: (O[K] extends OptionSpec<infer Value> ? Value : never) | undefined;
};

type Extra<Value> = Omit<OptionSpec<Value>, 'flags' | 'summary' | 'repeatable' | 'parse'>;

/** A flag without a value. */
export function toggle(flags: string, summary: string, extra: Extra<true> = {}): OptionSpec<true> {
  return { flags, summary, ...extra };
}

/** A flag with a value, which `run` gets as typed. */
export function text(flags: string, summary: string, extra: Extra<string> = {}): OptionSpec<string> {
  return { flags, summary, ...extra };
}

/** A flag with a value that `parse` reads. */
export function parsed<Value>(flags: string, summary: string, parse: (text: string) => Value, extra: Extra<Value> = {}): OptionSpec<Value> {
  return { flags, summary, parse, ...extra };
}

/** A flag that a line can repeat. */
export function repeated(flags: string, summary: string, extra: Extra<readonly string[]> = {}): OptionSpec<readonly string[]> {
  return { flags, summary, repeatable: true, ...extra };
}

/** The input of a command with the flags `O`. */
export interface TypedInput<O extends Options> {
  readonly args: readonly string[];
  readonly options: OptionValues<O>;
  /** The values of all flags, also those from the catalog, under their keys. */
  readonly given: CommandInput['options'];
}

/**
 * A command whose `run` gets each flag with the type of its spec.
 *
 * @param spec `options` are the flags that the code of the command uses. `catalogOptions` are the flags that a catalog entry adds. An
 *   option replaces a catalog option with the same key.
 */
export function defineCommand<Context, const O extends Options = Record<never, OptionSpec>>(
  spec: Omit<CommandSpec, 'options' | 'run' | 'commands' | 'topics'> & {
    readonly options?: O;
    readonly catalogOptions?: Options;
    readonly run: (context: Context, input: TypedInput<O>) => Promise<void>;
  },
): CommandSpec<Context> {
  const { options, catalogOptions, run, ...rest } = spec;
  return {
    ...rest,
    options: { ...catalogOptions, ...options },
    // The parser reads each flag by the spec that `O` is the type of.
    run: (context, { args, options: given }) => run(context, { args, options: given as OptionValues<O>, given }),
  };
}

/** A group of commands. Help lists a command that is given as a spec under `Commands`. */
export function defineGroup<Context>(
  spec: Omit<CommandSpec, 'options' | 'run' | 'args' | 'commands' | 'topics'> & {
    readonly commands: readonly (CommandEntry<Context> | CommandSpec<Context>)[];
  },
): CommandSpec<Context> {
  return { ...spec, commands: spec.commands.map((command) => ('load' in command ? command : entryOf(command))) };
}

function entryOf<Context>(spec: CommandSpec<Context>): CommandEntry<Context> {
  return { name: spec.name, aliases: aliasesOf(spec.name), summary: spec.summary, group: 'Commands', load: async () => spec };
}
