import type { CommandSpec } from './spec.ts';

/** The styles of the parts of help. `COLORED_HELP` contains the escape codes, because loading chalk would delay help. */
export interface HelpStyles {
  readonly heading: (text: string) => string;
  readonly term: (text: string) => string;
}

export const PLAIN_HELP: HelpStyles = { heading: (text) => text, term: (text) => text };

export const COLORED_HELP: HelpStyles = {
  heading: (text) => `\u001b[1m${text}\u001b[22m`,
  term: (text) => `\u001b[36m${text}\u001b[39m`,
};

/** Renders the start page of help for a screen of 80 by 24 characters. */
export function renderHome(root: CommandSpec, { heading, term }: HelpStyles): string {
  const table = (rows: readonly (readonly [string, string])[]): string[] => {
    const widest = Math.max(...rows.map(([left]) => left.length));
    return rows.map(([left, right]) => `  ${term(left.padEnd(widest))}  ${right}`);
  };
  const examples = (root.examples ?? []).map(({ args, does }) => [`${root.name} ${args}`, does] as const);
  const topics = (root.topics ?? []).map(({ name }) => name);
  const lines = [
    `${root.summary}.`,
    '',
    heading('Common commands:'),
    ...table(examples),
    '',
    heading('Resources, by subject:'),
    ...subjectLines(root, term),
    '',
    heading('Help:'),
    ...table([
      [`${root.name} help`, 'All commands, and the flags of every command'],
      [`${root.name} worklogs --help`, 'One resource, or one command'],
      [`${root.name} help <topic>`, `${topics.join(', ')}`],
    ]),
  ];
  return `${lines.join('\n')}\n`;
}

function subjectLines({ commands = [] }: CommandSpec, term: HelpStyles['term']): string[] {
  const nouns = new Map<string, string>();
  for (const { line, name } of commands) if (line !== undefined && !nouns.has(line)) nouns.set(line, name);
  const subjects = [...nouns];
  const widest = Math.max(...subjects.map(([subject]) => subject.length));
  const longest = Math.max(...subjects.map(([, noun]) => noun.length));
  const half = Math.ceil(subjects.length / 2);
  return subjects
    .slice(0, half)
    .map((first, row) =>
      [first, subjects[row + half]]
        .flatMap((cell, column) =>
          cell === undefined ? [] : [`  ${cell[0].padEnd(widest)}  ${term(column === 0 ? cell[1].padEnd(longest) : cell[1])}`],
        )
        .join('  '),
    );
}
