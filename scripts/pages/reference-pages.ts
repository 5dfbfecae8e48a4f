import { type PlacedCommand, walkTree } from '../../src/cli/resolve.ts';
import type { ArgSpec, CommandSpec, OptionSpec, Options } from '../../src/cli/spec.ts';

/** Returns the reference of all commands as Markdown texts by file name: a page for each top-level command, and README.md with the list. */
export async function referencePages(root: CommandSpec, globals: Options): Promise<Map<string, string>> {
  const pages = new Map<string, string>();
  const lines: string[] = [];
  let group = '';
  for (const entry of root.commands ?? []) {
    if (entry.hidden) continue;
    if (entry.group !== group) lines.push('', `## ${entry.group}`, '');
    group = entry.group;
    lines.push(`- [svc ${entry.name}](${entry.name}.md): ${entry.summary}`);
    const places: PlacedCommand[] = [];
    for await (const place of walkTree(await entry.load(), [entry.name])) places.push(place);
    pages.set(`${entry.name}.md`, `${NOTE}\n\n${places.map((place) => section(place)).join('\n\n')}\n`);
  }
  const everywhere = ['## Flags that mean the same everywhere', '', ...optionTable(globals)].join('\n');
  pages.set('README.md', `${NOTE}\n\n# svc\n\n${root.summary}.\n${lines.join('\n')}\n\n${everywhere}\n`);
  return pages;
}

export function topicPage(heading: string, { summary, rows = [] }: CommandSpec): string {
  return `${NOTE}\n\n# ${heading}\n\n${summary}.\n\n${table(['term', 'meaning'], rows)}\n`;
}

const NOTE = '<!-- Written by scripts/reference.ts from the commands; not to be edited. -->';

function section({ path, spec }: PlacedCommand): string {
  const name = ['svc', ...path].join(' ');
  const parts = [`${'#'.repeat(Math.min(path.length, 3))} ${name}`, `${spec.summary}.`];
  if (spec.description !== undefined) parts.push(prose(spec.description));
  parts.push(fenced([`${name}${spec.commands === undefined ? usageText(spec) : ' <command>'}`]));
  const { args = [], options = {}, commands = [], examples = [] } = spec;
  if (args.length > 0)
    parts.push(
      table(
        ['argument', ''],
        args.map((arg) => [argument(arg), arg.summary]),
      ),
    );
  if (Object.values(options).some(({ hidden }) => !hidden)) parts.push(optionTable(options).join('\n'));
  const shown = commands.filter(({ hidden }) => !hidden);
  if (shown.length > 0)
    parts.push(
      table(
        ['command', ''],
        shown.map((entry) => [`\`${[entry.name, ...(entry.aliases ?? [])].join(', ')}\``, entry.summary]),
      ),
    );
  if (examples.length > 0)
    parts.push(fenced(examples.flatMap(({ args: typed, does }, index) => [...(index === 0 ? [] : ['']), `# ${does}`, `svc ${typed}`])));
  return parts.join('\n\n');
}

function prose(text: string): string {
  return text
    .split('\n\n')
    .map((paragraph) =>
      paragraph.startsWith('  ') ? fenced(paragraph.split('\n').map((line) => line.slice(2))) : escapeMarkdown(paragraph),
    )
    .join('\n\n');
}

export function usageText({ args = [] }: CommandSpec): string {
  return `${args.map((arg) => ` ${arg.optional ? `[${arg.name}]` : `<${arg.name}>`}${arg.variadic ? '...' : ''}`).join('')} [flags]`;
}

function argument(arg: ArgSpec): string {
  return `\`${arg.name}${arg.variadic ? '...' : ''}\`${arg.optional ? ', optional' : ''}`;
}

function optionTable(options: Options): string[] {
  const shown = Object.values(options).filter(({ hidden }) => !hidden);
  return [
    table(
      ['flag', ''],
      shown.map((option) => [`\`${option.flags}\``, optionText(option)]),
    ),
  ];
}

export function optionText({ summary, choices, repeatable }: Pick<OptionSpec, 'summary' | 'choices' | 'repeatable'>): string {
  return `${summary}${choices === undefined ? '' : `: ${choices.join(', ')}`}${repeatable ? ' (may be repeated)' : ''}`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => escapeMarkdown(cell).replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

function escapeMarkdown(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith('`') ? part : part.replace(/[<>*_[\]]/g, '\\$&')))
    .join('');
}

function fenced(lines: readonly string[]): string {
  return ['```sh', ...lines, '```'].join('\n');
}
