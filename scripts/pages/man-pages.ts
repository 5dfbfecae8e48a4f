import { type PlacedCommand, walkTree } from '../../src/cli/resolve.ts';
import type { CommandEntry, CommandSpec, OptionSpec, Options } from '../../src/cli/spec.ts';
import { optionText, usageText } from './reference-pages.ts';

export interface ManFacts {
  readonly version: string;
  readonly sections: readonly { readonly title: string; readonly rows: readonly (readonly [term: string, text: string])[] }[];
}

const RESOURCES = 'Resources';

export async function manPages(root: CommandSpec, globals: Options, facts: ManFacts): Promise<Map<string, string>> {
  const entries = (root.commands ?? []).filter(({ hidden }) => !hidden);
  const nouns = entries.filter(({ group }) => group === RESOURCES);
  const others = entries.filter(({ group }) => group !== RESOURCES);
  const pages = new Map([['svc.1', await mainPage(root, globals, facts, nouns, others)]]);
  for (const noun of nouns) pages.set(`svc-${noun.name}.1`, await resourcePage(noun, facts.version));
  return pages;
}

async function mainPage(
  root: CommandSpec,
  globals: Options,
  facts: ManFacts,
  nouns: readonly CommandEntry[],
  others: readonly CommandEntry[],
): Promise<string> {
  return page([
    ...heading('svc', facts.version, root.summary),
    '.SH SYNOPSIS',
    ...synopsis('svc', '<resource> <verb> [arguments] [flags]'),
    ...synopsis('svc', '<command> [arguments] [flags]'),
    '.SH RESOURCES',
    'Each resource has a page of its own.',
    ...nouns.flatMap(({ name, summary }) => ['.TP', `.BR ${roff(`svc-${name}`)} (1)`, sentence(summary)]),
    '.SH COMMANDS',
    ...(await commandSections(others)),
    '.SH FLAGS THAT WORK EVERYWHERE',
    ...Object.values(globals).flatMap(optionLines),
    ...facts.sections.flatMap(({ title, rows }) => [
      `.SH ${title.toUpperCase()}`,
      ...rows.flatMap(([term, text]) => ['.TP', bold(term), sentence(text)]),
    ]),
    '.SH EXAMPLES',
    ...exampleLines(root),
  ]);
}

async function resourcePage(entry: CommandEntry, version: string): Promise<string> {
  const spec = await entry.load();
  const places: PlacedCommand[] = [];
  for await (const place of walkTree(spec, [entry.name])) places.push(place);
  const commands = places.filter((place) => place.spec.run !== undefined);
  return page([
    ...heading(`svc-${entry.name}`, version, entry.summary),
    '.SH SYNOPSIS',
    ...commands.flatMap((place) => synopsis(['svc', ...place.path].join(' '), usageText(place.spec))),
    ...(spec.description === undefined ? [] : ['.SH DESCRIPTION', prose(spec.description)]),
    '.SH COMMANDS',
    ...commands.flatMap(section),
    '.SH SEE ALSO',
    '.BR svc (1)',
    'has the flags of every command, the exit status, the environment and the files.',
  ]);
}

function page(lines: readonly string[]): string {
  return `.\\" Written by scripts/man.ts from the commands; not to be edited.\n${lines.join('\n')}\n`;
}

function heading(name: string, version: string, summary: string): string[] {
  return [`.TH ${name.toUpperCase()} 1 "" "svc ${version}"`, '.nh', '.ad l', '.SH NAME', `${roff(name)} \\- ${roff(summary)}`];
}

async function commandSections(entries: readonly CommandEntry[]): Promise<string[]> {
  const lines: string[] = [];
  for (const entry of entries) {
    for await (const place of walkTree(await entry.load(), [entry.name])) if (place.spec.run !== undefined) lines.push(...section(place));
  }
  return lines;
}

function section({ path, spec }: PlacedCommand): string[] {
  const options = Object.values(spec.options ?? {}).filter(({ hidden }) => !hidden);
  return [
    `.SS ${roff(['svc', ...path].join(' '))}${roff(usageText(spec))}`,
    sentence(spec.summary),
    ...(spec.description === undefined ? [] : ['.PP', prose(spec.description)]),
    ...(spec.args ?? []).flatMap((arg) => [
      '.TP',
      `\\fI${roff(arg.variadic ? `${arg.name}...` : arg.name)}\\fR`,
      sentence(optionText(arg)),
    ]),
    ...options.flatMap(optionLines),
    ...(spec.examples?.length ? ['.PP', 'Examples:', ...exampleLines(spec)] : []),
  ];
}

function synopsis(name: string, rest: string): string[] {
  return ['.HP', `${bold(name)} ${roff(rest.trim())}`];
}

function optionLines(option: OptionSpec): string[] {
  return ['.TP', bold(option.flags), sentence(optionText(option))];
}

function exampleLines({ examples = [] }: CommandSpec): string[] {
  return examples.flatMap(({ args, does }) => ['.PP', '.nf', '.RS 4', `# ${roff(does)}`, `svc ${roff(args)}`, '.RE', '.fi']);
}

function prose(text: string): string {
  return text
    .split('\n\n')
    .map((paragraph) => {
      if (!paragraph.startsWith('  ')) return startSafe(roff(paragraph.replaceAll('\n', ' ')));
      return ['.nf', ...paragraph.split('\n').map((line) => startSafe(roff(line))), '.fi'].join('\n');
    })
    .join('\n.PP\n');
}

function sentence(text: string): string {
  const capital = `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
  return startSafe(roff(/[.!?…]$/.test(text) ? capital : `${capital}.`));
}

function bold(text: string): string {
  return `\\fB${roff(text)}\\fR`;
}

/** Escapes a dot or a quote at the start of a line, which roff would read as a request. */
function startSafe(line: string): string {
  return /^[.']/.test(line) ? `\\&${line}` : line;
}

function roff(text: string): string {
  return (
    text
      // The ellipsis is the only character in svc’s texts that man cannot show in the C locale.
      .replaceAll('…', '...')
      .replaceAll('\\', '\\e')
      .replaceAll('-', '\\-')
      .replaceAll("'", '\\(aq')
      .replaceAll('`', '\\(ga')
      .replaceAll('^', '\\(ha')
      .replaceAll('~', '\\(ti')
      .replace(/[^\0-\x7f]/gu, (letter) => `\\[u${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`)
  );
}
