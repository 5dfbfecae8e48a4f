import { UsageError } from '../../../errors.ts';

/** Collects the errors in the rows of a file, so that one error can list all problems. */
export function createRowProblems() {
  const found: { readonly line: number; readonly message: string }[] = [];
  return {
    at<T>(line: number, read: () => T): T | undefined {
      try {
        return read();
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
        found.push({ line, message: error.message });
        return undefined;
      }
    },
    refuse(rows: number): void {
      if (found.length === 0) return;
      throw new UsageError(`${found.length} of ${rows} rows have a problem, so svc sent nothing.`, {
        hint: 'Fix the file, or name projects with --map "name=id".',
        details: {
          lines: linesBy(found, ({ message }) => message)
            .slice(0, 50)
            .map(([message, lines]) => `${lines}: ${message}`),
        },
      });
    },
  };
}

export function linesBy<Row extends { readonly line: number }>(
  rows: readonly Row[],
  textOf: (row: Row) => string | undefined,
): (readonly [text: string, lines: string])[] {
  const groups = [...Map.groupBy(rows, textOf)];
  return groups.flatMap(([text, some]) => (text === undefined ? [] : [[text, linesText(some.map(({ line }) => line))] as const]));
}

/** Lists line numbers: `line 3`, `lines 3, 5 and 7`, `lines 3, 5, 6 and 12 more`. */
function linesText(lines: readonly number[]): string {
  if (lines.length === 1) return `line ${lines[0]}`;
  if (lines.length <= 4) return `lines ${lines.slice(0, -1).join(', ')} and ${lines.at(-1)}`;
  return `lines ${lines.slice(0, 3).join(', ')} and ${lines.length - 3} more`;
}
