import { neutraliseLine, neutraliseText } from './neutralise.ts';

/** Text for a CSV cell: line breaks and tabs stay (the writer quotes them), formulas are defused. */
export function csvCell(text: string): string {
  return HARMLESS.test(text) ? text : defuse(neutraliseText(text));
}

/** Text for a TSV cell, which has no quoting: line breaks and tabs become a space, formulas are defused. */
export function tsvCell(text: string): string {
  return HARMLESS.test(text) ? text : defuse(neutraliseLine(text));
}

/**
 * Puts an apostrophe before what a spreadsheet would run as a formula (OWASP, "CSV Injection"): text that begins, perhaps after blanks or
 * semicolons (where another locale begins a cell), with `=`, `+`, `-`, `@` or their full-width forms, or that begins with a tab. Numbers
 * stay as they are.
 */
export function defuse(text: string): string {
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
}

const FORMULA = /^(?:\t|[\s;]*[=+\-@\uff1d\uff0b\uff0d\uff20])/;
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** Printable ASCII that does not begin as a formula might: as most text is, found out by one look in place of four. */
const HARMLESS = /^[!-*,./-:<>?A-~][ -~]*$/;
