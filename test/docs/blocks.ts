/** The commands of a document that belong together. */
export interface Block {
  /** The number of the first line, for messages. */
  readonly line: number;
  readonly script: string;
}

/**
 * Returns the commands that a Markdown page shows.
 * A fenced shell block is one script. In a session (`$ svc …`), only the typed lines count. In an indented block, each line that starts
 * with svc counts, up to three blanks, which precede a remark.
 */
export function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = [];
  let fence: { readonly line: number; readonly indent: number; readonly language: string; readonly lines: string[] } | undefined;
  for (const [index, line] of markdown.split('\n').entries()) {
    const mark = /^( *)```(\w*)$/.exec(line);
    if (mark !== null && fence === undefined) {
      fence = { line: index + 2, indent: mark[1]?.length ?? 0, language: mark[2] ?? '', lines: [] };
    } else if (mark !== null && fence !== undefined) {
      blocks.push(...fencedBlocks(fence));
      fence = undefined;
    } else if (fence !== undefined) fence.lines.push(line.slice(fence.indent));
    else if (/^ {4}svc /.test(line)) blocks.push({ line: index + 1, script: line.trim().replace(/ {3,}.*$/, '') });
  }
  return blocks;
}

function fencedBlocks({
  line,
  language,
  lines,
}: {
  readonly line: number;
  readonly language: string;
  readonly lines: readonly string[];
}): Block[] {
  if (language === 'sh') return [{ line, script: lines.join('\n') }];
  if (language !== '') return [];
  return lines.flatMap((text, index) => (text.startsWith('$ svc ') ? [{ line: line + index, script: text.slice(2) }] : []));
}
