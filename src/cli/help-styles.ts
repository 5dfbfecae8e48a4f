/** What the parts of help look like. Pure codes rather than chalk: help loads nothing that it can do without. */
export interface HelpStyles {
  readonly heading: (text: string) => string;
  /** What is typed: a command, a flag. */
  readonly term: (text: string) => string;
}

/** Without colour. */
export const PLAIN_HELP: HelpStyles = { heading: (text) => text, term: (text) => text };

/** From the terminal's own colours. */
export const COLORED_HELP: HelpStyles = {
  heading: (text) => `\u001b[1m${text}\u001b[22m`,
  term: (text) => `\u001b[36m${text}\u001b[39m`,
};
