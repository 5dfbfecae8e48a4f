/** A cell shows the beginning at most; so much of the text is looked at. */
const LONGEST = 2_000;

/**
 * Markdown as one line for a table cell, without its marks: headings, emphasis, code, quotes and list items as their text, a
 * link and an image by their words. On a page of its own Markdown reads well as it is.
 */
export function markdownToLine(markdown: string): string {
  return markdown
    .slice(0, LONGEST)
    .split('\n')
    .filter((line) => !/^\s*(```|~~~|([-*_])(\s*\2){2,}\s*$)/.test(line))
    .map((line) => line.replace(/^[\s>]*(#{1,6}\s+|[-*+]\s+(\[[ xX]\]\s+)?|\d{1,9}[.)]\s+)?/, '').trimEnd())
    .filter((line) => line !== '')
    .join(' ')
    .replace(/!?\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replace(/(\*\*|__|~~|`)(?=\S)([^*_~`]+)\1/g, '$2')
    .replace(/(?<![\w*])([*_])(?=\S)([^*_]+)\1(?![\w*])/g, '$2');
}
