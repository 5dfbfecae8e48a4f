import { Help } from 'commander';
import { wrap } from '../output/wrap.ts';
import { type HelpStyles, PLAIN_HELP } from './home.ts';
import { buildCommand, EVERYWHERE } from './parse.ts';
import type { CommandSpec, Options } from './spec.ts';

export function renderHelp(
  spec: CommandSpec,
  path: readonly string[],
  globals: Options,
  width: number,
  styles: HelpStyles = PLAIN_HELP,
): string {
  const name = ['svc', ...path].join(' ');
  const summary = width < USUAL ? wrap(`${spec.summary}.`, width) : `${spec.summary}.`;
  const sections = [spec.description === undefined ? summary : `${summary}\n\n${wrap(spec.description, width)}`];
  if (spec.rows !== undefined) return `${[...sections, drawRows(spec.rows, width, styles), 'More: svc help'].join('\n\n')}\n`;
  if (spec.commands === undefined) sections.push(leafHelp(spec, path, shownGlobals(spec, globals), width, styles));
  else sections.push(`${styles.heading('Usage:')}\n  ${name} <command> [arguments] [flags]`, ...groupHelp(spec, width, styles));
  if (spec.examples !== undefined && spec.examples.length > 0) {
    const lines = spec.examples.map((example) => `  # ${example.does}\n  svc ${example.args}`);
    sections.push(`${styles.heading('Examples:')}\n${lines.join('\n\n')}`);
  }
  if (path.length === 0) sections.push(flagsHelp(globals, width, styles));
  if (spec.topics !== undefined) {
    const rows = spec.topics.map((topic) => [topic.name, topic.summary] as const);
    sections.push(`${styles.heading('Topics of svc help:')}\n${drawRows(rows, width, styles)}`);
  }
  if (spec.commands !== undefined) sections.push(`More: ${name} <command> --help`);
  else sections.push('Flags of every command: svc --help');
  return `${sections.join('\n\n')}\n`;
}

const COMMON = ['host', 'output', 'fields', 'jq'];

/** The global flags that help adds to a command with `--dry-run`, because such a command writes. */
const WRITING = ['plan', 'again'];

function shownGlobals(spec: CommandSpec, globals: Options): Options {
  const own = spec.showsGlobals ?? COMMON;
  const shown = own.includes('dryRun') ? [...own, ...WRITING] : own;
  return Object.fromEntries(Object.entries(globals).filter(([key]) => shown.includes(key)));
}

function flagsHelp(globals: Options, width: number, styles: HelpStyles): string {
  const help = leafHelp({ name: 'svc', summary: '' }, [], globals, width, styles);
  return help.slice(help.indexOf(styles.heading(`${EVERYWHERE}:`))).trimEnd();
}

function leafHelp(spec: CommandSpec, path: readonly string[], globals: Options, width: number, { heading, term }: HelpStyles): string {
  const command = buildCommand(spec, path, globals);
  const help = new Help();
  help.helpWidth = width;
  help.styleTitle = heading;
  help.styleOptionTerm = term;
  help.styleArgumentTerm = term;
  if (width < USUAL) {
    const besides = help.formatItem.bind(help);
    help.minWidthToWrap = LEAST_TEXT;
    help.formatItem = (item, longest, text, helper) =>
      width - longest - INDENT < LEAST_TEXT ? below(item, text, width) : besides(item, longest, text, helper);
  }
  const usage = `${help.commandUsage(command).replace('[options]', '').replaceAll('  ', ' ').trim()} [flags]`;
  const body = help.formatHelp(command, help).split('\n');
  const rest = body.slice(body.indexOf('') + 1).join('\n');
  return `${heading('Usage:')}\n  ${usage}\n\n${rest.trimEnd()}`;
}

function groupHelp(spec: CommandSpec, width: number, styles: HelpStyles): string[] {
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
    return `${styles.heading(`${heading}:`)}\n${[...rows].map(([name, text]) => hang(name, text, longest, width, styles)).join('\n')}`;
  });
}

function drawRows(rows: readonly (readonly [string, string])[], width: number, styles: HelpStyles): string {
  const longest = Math.max(...rows.map(([term]) => term.length));
  return rows.map(([term, text]) => hang(term, text, longest, width, styles)).join('\n');
}

function hang(name: string, summary: string, longest: number, width: number, { term }: HelpStyles): string {
  const indent = longest + INDENT;
  if (width < USUAL && width - indent < LEAST_TEXT) return below(term(name), summary, width);
  return `  ${term(name.padEnd(longest))}  ${wrap(summary, Math.max(width - indent, LEAST_TEXT)).replaceAll('\n', `\n${' '.repeat(indent)}`)}`;
}

/** The number of columns around a term: two spaces before the term and two spaces after the term. */
const INDENT = 4;
const LEAST_TEXT = 24;
/** The usual width of help in columns. On a narrower terminal, an explanation without room next to its term goes to the next line. */
const USUAL = 80;

function below(term: string, text: string, width: number): string {
  const indent = ' '.repeat(6);
  return `  ${term}\n${indent}${wrap(text, width - indent.length).replaceAll('\n', `\n${indent}`)}`;
}
