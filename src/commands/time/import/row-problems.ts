import { UsageError } from '../../../errors.ts';

/** What is wrong with the rows of a file, collected so that all of it can be said at once. */
export interface RowProblems {
  /** Runs `read`; what it refuses is kept under the line. */
  at<T>(line: number, read: () => T): T | undefined;
  /** @param rows How many the file has. @throws UsageError when something was found. */
  refuse(rows: number): void;
}

export function createRowProblems(): RowProblems {
  const found = new Map<string, number[]>();
  return {
    at(line, read) {
      try {
        return read();
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
        found.set(error.message, [...(found.get(error.message) ?? []), line]);
        return undefined;
      }
    },
    refuse(rows) {
      const bad = [...found.values()].flat().length;
      if (bad === 0) return;
      throw new UsageError(`${bad} of ${rows} rows cannot be sent, so nothing was.`, {
        hint: 'Mend the file, or name projects with --map "name=id".',
        details: { lines: [...found].slice(0, 50).map(([message, lines]) => `${linesText(lines)}: ${message}`) },
      });
    },
  };
}

/** `line 3`, `lines 3, 5 and 7`, `lines 3, 5, 6 and 12 more`. */
export function linesText(lines: readonly number[]): string {
  if (lines.length === 1) return `line ${lines[0]}`;
  if (lines.length <= 4) return `lines ${lines.slice(0, -1).join(', ')} and ${lines.at(-1)}`;
  return `lines ${lines.slice(0, 3).join(', ')} and ${lines.length - 3} more`;
}
