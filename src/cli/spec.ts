import { aliasesOf } from './tool-aliases.ts';

/**
 * A command as data, for help, completion, the reference and parsing. Only `parse.ts` and `help.ts` use commander.
 *
 * `Context` is the type of the first argument of `run`. Without a context, code can read a `CommandSpec`, but cannot run the command.
 */
export interface CommandSpec<in Context = never> {
  readonly name: string;
  /** The line that describes the command, with a capital letter and without a full stop. */
  readonly summary: string;
  readonly description?: string | undefined;
  readonly args?: readonly ArgSpec[];
  readonly options?: Options;
  readonly examples?: readonly Example[];
  readonly rows?: readonly (readonly [term: string, text: string])[];
  readonly topics?: readonly CommandEntry<Context>[];
  readonly commands?: readonly CommandEntry<Context>[];
  /** Keys of the global flags in the help of this command. Default: host, output, fields and jq. */
  readonly showsGlobals?: readonly string[];
  readonly fields?: readonly string[];
  /** The request of a command that sends one request for each page or record. */
  readonly sends?: Sends;
  readonly run?: (context: Context, input: CommandInput) => Promise<void>;
}

/** A command in a module of its own. The entry has the name and the summary. A summary in the spec is only for the command’s own help. */
export type LoadedCommand<Context = never> = Omit<CommandSpec<Context>, 'name' | 'summary'> &
  Partial<Pick<CommandSpec, 'name' | 'summary'>>;

export interface CommandInput {
  readonly args: readonly string[];
  readonly options: Readonly<Record<string, unknown>>;
}

export interface Sends {
  readonly method: string;
  readonly path: string;
  /** The abilities that permit the request, such as `api:read:times`. The token needs at least one of these abilities. */
  readonly abilities: readonly string[];
  readonly cost: number;
  readonly per: 'page' | 'record';
}

/** The candidates for a flag or an argument. Users can type other values too. */
export type Completes =
  | 'file'
  | 'directory'
  | 'host'
  | 'account'
  | 'alias'
  | 'table'
  /** Completes a file after `@`, as in `@notes.md` and `description=@notes.html`. */
  | 'at-file'
  /**
   * Records of a resource, by key, name or id.
   *
   * `as: 'name'` offers each name once. `as: 'move'` offers the statuses that the workflow allows next for the work item in the first
   * argument. `or` lists words that replace a name, such as `me`. `behind` maps a prefix to a resource, as in `project:Web shop`.
   */
  | {
      readonly records: string;
      readonly as?: 'name' | 'move';
      readonly or?: readonly string[];
      readonly behind?: Readonly<Record<string, string>>;
    }
  /** Fixed values. With `list`, the user can type several values, separated by commas. */
  | { readonly values: readonly string[]; readonly list?: true };

/** A command in the tree. svc loads the spec of the command only when needed. */
export interface CommandEntry<in Context = never> {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly summary: string;
  readonly group: string;
  readonly hidden?: true;
  /** The group of a resource. Help lists the resources of a group on one line, without their summaries. */
  readonly line?: string;
  readonly load: () => Promise<CommandSpec<Context>>;
}

export interface ArgSpec {
  readonly name: string;
  readonly summary: string;
  readonly optional?: true;
  readonly variadic?: true;
  readonly choices?: readonly string[];
  readonly completes?: Completes;
}

/** Defines an argument that takes all remaining words, or no word. */
export function anyWords(name: string, summary: string, completes?: Completes): ArgSpec {
  return { name, summary, optional: true, variadic: true, ...(completes && { completes }) };
}

export interface Example {
  readonly args: string;
  readonly does: string;
}

export interface OptionSpec<Value = unknown> {
  /** The spellings, and the value: `--by <a,b>`, `--why [row]` for a value that can be left out. */
  readonly flags: string;
  readonly summary: string;
  /** The heading above the flag in help. Default: `Options`, or `Everywhere` for a global flag. */
  readonly group?: string;
  readonly hidden?: true;
  readonly repeatable?: true;
  readonly choices?: readonly string[];
  /** The type of the value in `svc commands`. Default: `string`, or `switch` for a flag without a value. */
  readonly type?: FlagType;
  /** Parses the typed value. @throws UsageError for an invalid value. svc puts the flag’s name before the message. */
  readonly parse?: (text: string) => Value;
  /** Returns the text that svc stores and shows instead of a value with a secret. Default: the value itself. */
  readonly withheld?: (text: string) => string;
  readonly completes?: Completes;
}

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

/** The values of the flags in `run`, by key. A switch is `true` or undefined. */
export type OptionValues<O extends Options> = {
  readonly [K in keyof O]: (O[K] extends OptionSpec<infer Value> ? Value : never) | undefined;
};

type Extra<Value> = Omit<OptionSpec<Value>, 'flags' | 'summary' | 'repeatable' | 'parse'>;

export function toggle(flags: string, summary: string, extra: Extra<true> = {}): OptionSpec<true> {
  return { flags, summary, ...extra };
}

export function text(flags: string, summary: string, extra: Extra<string> = {}): OptionSpec<string> {
  return { flags, summary, ...extra };
}

/** Defines a flag with a value that names a record of a resource by id or name. */
export function recordFlag(flag: string, summary: string, noun: string): OptionSpec<string> {
  return text(`${flag} <id|name>`, summary, { type: 'id-or-name', completes: { records: noun } });
}

export function parsed<Value>(flags: string, summary: string, parse: (text: string) => Value, extra: Extra<Value> = {}): OptionSpec<Value> {
  return { flags, summary, parse, ...extra };
}

export function repeated(flags: string, summary: string, extra: Extra<readonly string[]> = {}): OptionSpec<readonly string[]> {
  return { flags, summary, repeatable: true, ...extra };
}

export interface TypedInput<O extends Options> {
  readonly args: readonly string[];
  readonly options: OptionValues<O>;
  /** The values of all flags by key, including flags from the catalog. */
  readonly given: CommandInput['options'];
}

/** Makes the entry of a command. The loaded command gets the name and the summary of the entry, unless the command has its own. */
export function commandEntry<Context>(
  entry: Omit<CommandEntry<Context>, 'load'>,
  load: () => Promise<LoadedCommand<Context>>,
): CommandEntry<Context> {
  const { name, summary } = entry;
  return { ...entry, load: async () => ({ name, summary, ...(await load()) }) };
}

export type CommandRow<Context> = readonly [
  name: string,
  summary: string,
  load: () => Promise<LoadedCommand<Context>>,
  more?: Pick<CommandEntry, 'aliases' | 'hidden'>,
];

/** Makes the entries of commands. The keys of `rows` are the headings in help. */
export function commandEntries<Context>(rows: Readonly<Record<string, readonly CommandRow<Context>[]>>): CommandEntry<Context>[] {
  return Object.entries(rows).flatMap(([group, list]) =>
    list.map(([name, summary, load, more]) => commandEntry({ name, summary, group, ...more }, load)),
  );
}

/**
 * Defines a command whose `run` gets each flag with the type in its spec.
 *
 * @param spec `options` are the flags that the code of the command uses. `catalogOptions` are the flags of a catalog entry. An entry of
 * `options` replaces a catalog flag with the same key.
 */
export function defineCommand<Context, const O extends Options = Record<never, OptionSpec>>(
  spec: TypedCommand<Context, O> & Pick<CommandSpec, 'name' | 'summary'>,
): CommandSpec<Context>;
export function defineCommand<Context, const O extends Options = Record<never, OptionSpec>>(
  spec: TypedCommand<Context, O>,
): LoadedCommand<Context>;
export function defineCommand<Context, const O extends Options>(spec: TypedCommand<Context, O>): LoadedCommand<Context> {
  const { options, catalogOptions, run, ...rest } = spec;
  return {
    ...rest,
    options: { ...catalogOptions, ...options },
    // The type `O` comes from the spec by which the parser converted each flag.
    run: (context, { args, options: given }) => run(context, { args, options: given as OptionValues<O>, given }),
  };
}

type TypedCommand<Context, O extends Options> = Omit<LoadedCommand, 'options' | 'run' | 'commands' | 'topics'> & {
  readonly options?: O;
  readonly catalogOptions?: Options;
  readonly run: (context: Context, input: TypedInput<O>) => Promise<void>;
};

/** Defines a group of commands. If a command is a spec and not an entry, help lists the command under `Commands`. */
export function defineGroup<Context>(
  spec: Omit<LoadedCommand, 'options' | 'run' | 'args' | 'commands' | 'topics'> & {
    readonly commands: readonly (CommandEntry<Context> | CommandSpec<Context>)[];
  },
): LoadedCommand<Context> {
  const listed = (spec: CommandSpec<Context>): CommandEntry<Context> => {
    const { name, summary } = spec;
    return { name, aliases: aliasesOf(name), summary, group: 'Commands', load: async () => spec };
  };
  return { ...spec, commands: spec.commands.map((command) => ('load' in command ? command : listed(command))) };
}
