import { neutraliseLine } from './neutralise.ts';
import { loadStyles } from './styles.ts';
import { cutToWidth } from './text-width.ts';

/** Findings of one kind, ready to be drawn. */
export interface FindingGroup {
  readonly heading: string;
  readonly findings: readonly {
    /** What is wrong, whose and when: `Thu 2026-06-04, Mira: 3h missing of 8h`. */
    readonly line: string;
    readonly command: string;
  }[];
}

/** The findings under the heading of their kind with their number, the command that mends each below it. Commands are never cut: they are to be typed. */
export async function renderFindings(
  groups: readonly FindingGroup[],
  { color, width }: { readonly color: boolean; readonly width: number | undefined },
): Promise<string> {
  const styles = await loadStyles(color);
  const cut = (text: string) => (width === undefined ? text : cutToWidth(text, width));
  return groups
    .map(({ heading, findings }) => {
      const lines = findings.flatMap(({ line, command }) => [
        cut(`  ${neutraliseLine(line)}`),
        `    ${styles.dim(neutraliseLine(command))}`,
      ]);
      return `${[styles.heading(`${heading}: ${findings.length}`), ...lines].join('\n')}\n`;
    })
    .join('\n');
}
