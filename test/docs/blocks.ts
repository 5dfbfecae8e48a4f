/** Commands of a document that belong together. */
export interface Block {
  /** Of its first line, for messages. */
  readonly line: number;
  readonly script: string;
}

/**
 * The commands that a Markdown page shows. A fenced block of shell is a script as a whole; of a session (`$ svc …`) the
 * typed lines count; of an indented block each line that begins with svc, up to three blanks (a remark follows them).
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
