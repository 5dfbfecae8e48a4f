/** What the parts of an output look like. */
export interface Styles {
  readonly heading: Style;
  readonly key: Style;
  readonly string: Style;
  readonly number: Style;
  /** `true`, `false`, `null`. */
  readonly literal: Style;
  readonly dim: Style;
  /** A state that is over, one that is under way, and what is late. */
  readonly tones: Readonly<Record<Tone, Style>>;
}

/** What a value means to a person, beside what it says. */
export type Tone = 'done' | 'active' | 'late';

export type Style = (text: string) => string;

const plain: Style = (text) => text;

/** No colour at all. */
const PLAIN_STYLES: Styles = {
  heading: plain,
  key: plain,
  string: plain,
  number: plain,
  literal: plain,
  dim: plain,
  tones: { done: plain, active: plain, late: plain },
};

/** Styles from the terminal's own 16 colours, so that they fit its theme; chalk is loaded only when colour is wanted. */
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
