import { aliasesOf } from './habits.ts';

/**
 * A command as data: what help, completions and the reference read, and what parsing and running follow from.
 * `parse.ts` turns one into a commander command; nothing else knows commander.
 *
 * `Context` is what its `run` works with. Whoever only looks at commands takes `CommandSpec`, which any of them is; nobody
 * can run that one, since there is no value of type `never`.
 */
export interface CommandSpec<in Context = never> {
  readonly name: string;
  readonly aliases?: readonly string[] | undefined;
  /** One line: a capital, no full stop. */
  readonly summary: string;
  /** Full sentences, shown above the options. */
  readonly description?: string | undefined;
  readonly args?: readonly ArgSpec[];
  readonly options?: Options;
  readonly examples?: readonly Example[];
  /** Terms and what each means: a topic of help has these. */
  readonly rows?: readonly (readonly [term: string, text: string])[];
  /** Of the whole tree: what `svc help <topic>` tells that belongs to no command. */
  readonly topics?: readonly CommandEntry<Context>[];
  /** What follows it: `svc <noun> <verb>`. A spec has either these or `run`. */
  readonly commands?: readonly CommandEntry<Context>[];
  /** Global flags that its help shows; the others are in `svc --help`. Default: where to and how to print. */
  readonly showsGlobals?: readonly string[];
  /** Names of the fields of the records it prints, where they are known. */
  readonly fields?: readonly string[];
  /** What it sends, where that is one request or one for each record; several where arguments decide. */
  readonly sends?: Sends;
  readonly run?: (context: Context, input: CommandInput) => Promise<void>;
}

/** What was typed for a command: its arguments, and under their keys the values of its flags, as their specs read them. */
export interface CommandInput {
  readonly args: readonly string[];
  readonly options: Readonly<Record<string, unknown>>;
}

/** What a command sends to the service. */
export interface Sends {
  readonly method: string;
  /** Below the API, with `{name}` where an argument goes: `/work-items/{work_item}`. */
  readonly path: string;
  /** One of them is needed: `api:read:times`. */
  readonly abilities: readonly string[];
  /** Units of the rate limit that a plain request costs. */
  readonly cost: number;
  /** What the cost is for. */
  readonly per: 'page' | 'record';
}

/** What a shell may complete for a flag or an argument; more than that may be typed. */
export type Completes =
  | 'file'
  | 'directory'
  | 'host'
  /** An alias of the person's own. */
  | 'alias'
  /** A table of the account's copy. */
  | 'table'
  /** A file after `@`, as in `@notes.md` and `description=@notes.html`. */
  | 'at-file'
  /**
   * Records of a noun: by their keys, else by their names, else by their ids. `as: 'name'`: each name once, whatever has it; `'move'`: of
   * statuses, those that the work item which the first argument names may go to. `or`: words that stand for one; `behind`: nouns whose
   * records may be named behind a word, as in `project:Web shop`.
   */
  | {
      readonly records: string;
      readonly as?: 'name' | 'move';
      readonly or?: readonly string[];
      readonly behind?: Readonly<Record<string, string>>;
    }
  /** Words; `list`: several, with commas between them. */
  | { readonly values: readonly string[]; readonly list?: true };

/** A place in the tree whose spec is loaded when somebody goes there. */
export interface CommandEntry<in Context = never> {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly summary: string;
  /** The heading it stands under in help. */
  readonly group: string;
  /** Works, and is completed, but help of the level above does not list it. */
  readonly hidden?: true;
  /** Help of the level above names it in this line, with the others of it, and leaves its summary out. */
  readonly line?: string;
  readonly load: () => Promise<CommandSpec<Context>>;
}

export interface ArgSpec {
  /** As help shows it: `id`. */
  readonly name: string;
  readonly summary: string;
  readonly optional?: true;
  /** Takes all that follow; only on the last. */
  readonly variadic?: true;
  readonly choices?: readonly string[];
  /** What a shell may complete in its place. */
  readonly completes?: Completes;
}

export interface Example {
  /** After `svc `. */
  readonly args: string;
  readonly does: string;
}

/** A flag. `Value` is what the command gets for it. */
export interface OptionSpec<Value = unknown> {
  /** As commander reads it: `-o, --output <format>`. */
  readonly flags: string;
  readonly summary: string;
  /** The heading it stands under in help; default `Options`. */
  readonly group?: string;
  /** Works, but help does not list it. */
  readonly hidden?: true;
  /** Given several times, it collects. */
  readonly repeatable?: true;
  readonly choices?: readonly string[];
  /** What its value is, for programs that read the commands as data; default `string`, or `switch` where it takes none. */
  readonly type?: FlagType;
  /** Reads the typed text; throws UsageError, which is shown with the flag's name before it. */
  readonly parse?: (text: string) => Value;
  /** Of a flag whose value may hold a secret: what of the value may be kept and shown. Default: all of it. */
  readonly withheld?: (text: string) => string;
  /** What a shell may complete after it. */
  readonly completes?: Completes;
}

/** What a person types after a flag, in the words of `svc commands`. */
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

/** What `run` gets: the value of each flag that was given. A switch is `true` or undefined. */
export type OptionValues<O extends Options> = {
  readonly [K in keyof O]: (O[K] extends OptionSpec<infer Value> ? Value : never) | undefined;
};

type Extra<Value> = Omit<OptionSpec<Value>, 'flags' | 'summary' | 'repeatable' | 'parse'>;

/** A flag without a value. */
export function toggle(flags: string, summary: string, extra: Extra<true> = {}): OptionSpec<true> {
  return { flags, summary, ...extra };
}

/** A flag with a value, taken as it is typed. */
export function text(flags: string, summary: string, extra: Extra<string> = {}): OptionSpec<string> {
  return { flags, summary, ...extra };
}

/** A flag with a value that `parse` reads. */
export function parsed<Value>(flags: string, summary: string, parse: (text: string) => Value, extra: Extra<Value> = {}): OptionSpec<Value> {
  return { flags, summary, parse, ...extra };
}

/** A flag that may be given several times. */
export function repeated(flags: string, summary: string, extra: Extra<readonly string[]> = {}): OptionSpec<readonly string[]> {
  return { flags, summary, repeatable: true, ...extra };
}

/** What the `run` of a command with the flags `O` gets. */
export interface TypedInput<O extends Options> {
  readonly args: readonly string[];
  readonly options: OptionValues<O>;
  /** The values of all its flags, those that the catalog made included, under their keys. */
  readonly given: CommandInput['options'];
}

/**
 * A command whose `run` sees each of its flags with the type that its spec gives it.
 *
 * @param spec `options` are the flags that its code names; `catalogOptions` those that a catalog entry makes, of which `run`
 *   knows no more than that they may be there. Where both have a key, it is the option's.
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

/** A command that only has others below it. */
export function defineGroup<Context>(
  spec: Omit<CommandSpec, 'options' | 'run' | 'args' | 'commands' | 'topics'> & { readonly commands: readonly CommandEntry<Context>[] },
): CommandSpec<Context> {
  return spec;
}

/** An entry for a spec that is at hand already. */
export function commandEntry<Context>(spec: CommandSpec<Context>, group: string): CommandEntry<Context> {
  return { name: spec.name, aliases: spec.aliases ?? aliasesOf(spec.name), summary: spec.summary, group, load: async () => spec };
}
