import type { Env, Output } from '../deps.ts';

/** Whether an output gets colours: `--no-color` and `NO_COLOR` say no, `FORCE_COLOR` says yes, else a terminal does. */
export function allowsColor(output: Pick<Output, 'isTTY'>, noColor: boolean, env: Env): boolean {
  if (noColor || env['NO_COLOR']) return false;
  if (env['FORCE_COLOR']) return env['FORCE_COLOR'] !== '0';
  return output.isTTY && env['TERM'] !== 'dumb';
}
