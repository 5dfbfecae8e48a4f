import { Help } from 'commander';
import { buildCommand, EVERYWHERE } from './parse.ts';
import type { CommandSpec, Options } from './spec.ts';

/** The help of one command: what it is, usage, what it takes, examples. Pure; `width` in columns. */
export function renderHelp(spec: CommandSpec, path: readonly string[], globals: Options, width: number): string {
  const name = ['svc', ...path].join(' ');
  const sections = [spec.description === undefined ? `${spec.summary}.` : `${spec.summary}.\n\n${wrap(spec.description, width)}`];
  if (spec.commands === undefined) sections.push(leafHelp(spec, path, shownGlobals(spec, globals), width));
  else sections.push(`Usage:\n  ${name} <command> [arguments] [flags]`, ...groupHelp(spec, width));
  if (spec.examples !== undefined && spec.examples.length > 0) {
    const lines = spec.examples.map((example) => `  # ${example.does}\n  svc ${example.args}`);
    sections.push(`Examples:\n${lines.join('\n\n')}`);
  }
  if (path.length === 0) sections.push(flagsHelp(globals, width));
  if (spec.commands !== undefined) sections.push(`More: ${name} <command> --help`);
  else sections.push('Flags that work everywhere: svc --help');
  return `${sections.join('\n\n')}\n`;
}

/** Where to, and how to print: what nearly every command is used with. */
const COMMON = ['host', 'output', 'fields', 'jq'];

/** What a command that can be tried with `--dry-run`, a write, takes besides. */
const WRITING = ['plan', 'again'];

function shownGlobals(spec: CommandSpec, globals: Options): Options {
  const own = spec.showsGlobals ?? COMMON;
  const shown = own.includes('dryRun') ? [...own, ...WRITING] : own;
  return Object.fromEntries(Object.entries(globals).filter(([key]) => shown.includes(key)));
}

/** The global flags, for the help of `svc` itself. */
function flagsHelp(globals: Options, width: number): string {
  const help = leafHelp({ name: 'svc', summary: '' }, [], globals, width);
  return help.slice(help.indexOf(`${EVERYWHERE}:`)).trimEnd();
}

/** Usage, arguments and options, as commander lays them out. */
function leafHelp(spec: CommandSpec, path: readonly string[], globals: Options, width: number): string {
  const command = buildCommand(spec, path, globals);
  const help = new Help();
  help.helpWidth = width;
  help.styleTitle = (title) => title;
  const usage = `${help.commandUsage(command).replace('[options]', '').replaceAll('  ', ' ').trim()} [flags]`;
  const body = help.formatHelp(command, help).split('\n');
  const rest = body.slice(body.indexOf('') + 1).join('\n');
  return `Usage:\n  ${usage}\n\n${rest.trimEnd()}`;
}

/** The commands below this one, under their headings: one a line, or those of a line together. */
function groupHelp(spec: CommandSpec, width: number): string[] {
  const entries = (spec.commands ?? []).filter((entry) => !entry.hidden);
  const longest = Math.max(...entries.map((entry) => (entry.line ?? entry.name).length));
  const headings = [...new Set(entries.map((entry) => entry.group))];
  return headings.map((heading) => {
    const here = entries.filter((entry) => entry.group === heading);
    const rows = new Map<string, string>();
    for (const { line, name, summary } of here) {
      const before = line === undefined ? undefined : rows.get(line);
      rows.set(line ?? name, line === undefined ? summary : before === undefined ? name : `${before}, ${name}`);
    }
    return `${heading}:\n${[...rows].map(([name, text]) => hang(name, text, longest, width)).join('\n')}`;
  });
}

/** `  name   summary`, the summary wrapped under itself. */
function hang(name: string, summary: string, longest: number, width: number): string {
  const indent = longest + 4;
  return `  ${name.padEnd(longest)}  ${wrap(summary, Math.max(width - indent, 24)).replaceAll('\n', `\n${' '.repeat(indent)}`)}`;
}

function wrap(text: string, width: number): string {
  return text
    .split('\n')
    .map((paragraph) => {
      const lines: string[] = [];
      for (const word of paragraph.split(' ')) {
        const last = lines.at(-1);
        if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
        else lines.push(word);
      }
      return lines.join('\n');
    })
    .join('\n');
}
