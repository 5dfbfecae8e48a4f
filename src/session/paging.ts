import { textWidth } from '../output/text-width.ts';
import type { Needs } from './context.ts';
import type { Screen } from './guard-terminal.ts';

export type Paging = 'accessible' | 'env' | 'globals' | 'holdNotices' | 'notice' | 'programs' | 'settings' | 'signal' | 'stdio' | 'system';

/**
 * Returns the pager command: `SVC_PAGER`, `PAGER`, the setting, otherwise less. Undefined without a terminal, with `--no-pager`, and for
 * `cat` or an empty name. Without a choice, also undefined on Windows, for a screen reader, and for `TERM=dumb`.
 */
export async function pagerCommand(context: Needs<Paging>): Promise<string | undefined> {
  const { env, globals, stdio, system } = context;
  if (!stdio.stdout.isTTY || globals.noPager === true) return undefined;
  // svc ignores `PAGER` for a screen reader, because the user chose `PAGER` for other programs.
  const isHeard = await context.accessible();
  const chosen = env['SVC_PAGER'] ?? (isHeard ? undefined : env['PAGER']) ?? (await context.settings()).pager;
  if (chosen === undefined) return isHeard || system.platform === 'win32' || env['TERM'] === 'dumb' ? undefined : 'less';
  return chosen.trim() === '' || chosen.trim() === 'cat' ? undefined : chosen;
}

/** Shows a text, in the pager if the text is taller than the screen. @returns false if the user left the pager before the end. */
export async function showPaged(context: Needs<Paging>, pager: string, texts: AsyncGenerator<string>): Promise<boolean> {
  const { stdout } = context.stdio;
  const started: string[] = [];
  let lines = 0;
  // svc decides about the pager only after the text has filled the screen.
  while (lines < (stdout.rows ?? Number.POSITIVE_INFINITY)) {
    const next = await texts.next().catch(async (error: unknown) => {
      await stdout.write(started.join(''));
      throw error;
    });
    if (next.done) {
      await stdout.write(started.join(''));
      return true;
    }
    started.push(next.value);
    lines += linesOf(next.value, stdout);
  }
  const all = whole(started.join(''), texts);
  const paged = await context.holdNotices(() => context.programs.page(pager, all, context.signal));
  context.signal.throwIfAborted();
  if (paged !== 'missing') return paged === 'shown';
  await context.notice(
    `svc cannot start the pager "${pager}", so the output has no pager. To choose another pager: svc config set pager <command>`,
  );
  for await (const text of all) await stdout.write(text);
  return true;
}

async function* whole(started: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  try {
    yield started;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}

function linesOf(text: string, { columns = Number.POSITIVE_INFINITY }: Screen): number {
  return text
    .replace(/\n$/, '')
    .split('\n')
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(textWidth(line) / columns)), 0);
}
