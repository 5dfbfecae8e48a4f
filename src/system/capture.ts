import { execFile } from 'node:child_process';
import type { Programs } from '../deps.ts';

/** Room for what a program prints: 32 MiB, beyond which it is stopped. */
const MOST_OUTPUT = 32 * 1024 * 1024;

/** Runs a program away from the terminal and reads what it prints. */
export function createCapture(env: Readonly<Record<string, string | undefined>>): Programs['capture'] {
  return (command, args, cwd) =>
    new Promise((resolve, reject) => {
      execFile(command, [...args], { cwd, env, maxBuffer: MOST_OUTPUT, windowsHide: true }, (error, stdout, stderr) => {
        // A code that is a number is the program's own; anything else says that it did not run, or not to its end.
        if (error === null) resolve({ code: 0, stdout, stderr });
        else if (typeof error.code === 'number') resolve({ code: error.code, stdout, stderr });
        else reject(error);
      });
    });
}
