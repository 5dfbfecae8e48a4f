import type { Context } from './context.ts';

/**
 * A command as data: what help, completions and the reference read, and what parsing and running follow from.
 * `commands/parse.ts` turns one into a commander command; nothing else knows commander.
 */
export interface CommandSpec {
  readonly name: string;
  readonly aliases?: readonly string[] | undefined;
  /** One line: a capital, no full stop. */
  readonly summary: string;
  /** Full sentences, shown above the options. */
  readonly description?: string | undefined;
  readonly args?: readonly ArgSpec[];
  readonly options?: Options;
  readonly examples?: readonly Example[];
  /** What follows it: `svc <noun> <verb>`. A spec has either these or `run`. */
  readonly commands?: readonly CommandEntry[];
  /** Global flags that its help shows; the others are in `svc --help`. Default: where to and how to print. */
  readonly showsGlobals?: readonly string[];
  readonly run?: (context: Context, input: { readonly args: readonly string[]; readonly options: never }) => Promise<void>;
}

/** A place in the tree whose spec is loaded when somebody goes there. */
export interface CommandEntry {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly summary: string;
  /** The heading it stands under in help. */
  readonly group: string;
  /** Works, and is completed, but help of the level above does not list it. */
  readonly hidden?: true;
  readonly load: () => Promise<CommandSpec>;
}

export interface ArgSpec {
  /** As help shows it: `id`. */
  readonly name: string;
  readonly summary: string;
  readonly optional?: true;
  /** Takes all that follow; only on the last. */
  readonly variadic?: true;
  readonly choices?: readonly string[];
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
  /** Reads the typed text; throws UsageError, which is shown with the flag's name before it. */
  readonly parse?: (text: string) => Value;
  /** What a shell may complete after it. */
  readonly completes?: 'file' | 'host' | 'directory';
}

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

/** Keeps the types of a command's flags, so that `run` sees exactly what it declared. */
export function defineCommand<const O extends Options>(
  spec: Omit<CommandSpec, 'options' | 'run' | 'commands'> & {
    readonly options?: O;
    readonly run: (context: Context, input: { readonly args: readonly string[]; readonly options: OptionValues<O> }) => Promise<void>;
  },
): CommandSpec {
  return spec;
}

/** A command that only has others below it. */
export function defineGroup(
  spec: Omit<CommandSpec, 'options' | 'run' | 'args'> & { readonly commands: readonly CommandEntry[] },
): CommandSpec {
  return spec;
}

/** An entry for a spec that is at hand already. */
export function entryOf(spec: CommandSpec, group: string): CommandEntry {
  return { name: spec.name, aliases: spec.aliases ?? [], summary: spec.summary, group, load: async () => spec };
}
