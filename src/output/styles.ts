import type { Env, Output } from '../deps.ts';

export interface Styles {
  readonly heading: Style;
  readonly key: Style;
  readonly string: Style;
  readonly number: Style;
  readonly literal: Style;
  readonly dim: Style;
  readonly tones: Readonly<Record<Tone, Style>>;
}

export type Tone = 'done' | 'active' | 'late';

export type Style = (text: string) => string;

const plain: Style = (text) => text;

const PLAIN_STYLES: Styles = {
  heading: plain,
  key: plain,
  string: plain,
  number: plain,
  literal: plain,
  dim: plain,
  tones: { done: plain, active: plain, late: plain },
};

/** Returns styles in the terminal’s own 16 colours. Loads chalk only if the output has colours. */
export async function loadStyles(color: boolean): Promise<Styles> {
  if (!color) return PLAIN_STYLES;
  const { Chalk } = await import('chalk');
  const chalk = new Chalk({ level: 1 });
  return {
    heading: (text) => chalk.bold(text),
    key: (text) => chalk.blue.bold(text),
    string: (text) => chalk.green(text),
    number: (text) => chalk.cyan(text),
    literal: (text) => chalk.yellow(text),
    dim: (text) => chalk.dim(text),
    tones: { done: (text) => chalk.green(text), active: (text) => chalk.yellow(text), late: (text) => chalk.red(text) },
  };
}

/**
 * Returns true if the output has colours. `--no-color` and `NO_COLOR` take precedence over `FORCE_COLOR`. By default, only a terminal has
 * colours, unless `TERM` is `dumb`.
 */
export function allowsColor(output: Pick<Output, 'isTTY'>, noColor: boolean, env: Env): boolean {
  if (noColor || env['NO_COLOR']) return false;
  if (env['FORCE_COLOR']) return env['FORCE_COLOR'] !== '0';
  return output.isTTY && env['TERM'] !== 'dumb';
}
