/**
 * Wraps a text to a width. Keeps the text’s own line breaks. Keeps a command after a colon on one line, so that you can copy the command.
 */
export function wrap(text: string, width: number): string {
  return text
    .split('\n')
    .map((paragraph) => {
      if (paragraph.length <= width) return paragraph;
      const lines: string[] = [];
      for (const word of paragraph.replace(COMMAND, (command) => command.replaceAll(' ', HELD)).split(' ')) {
        const last = lines.at(-1);
        if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
        else lines.push(word);
      }
      return lines.join('\n').replaceAll(HELD, ' ');
    })
    .join('\n');
}

const COMMAND = /(?<=: )svc [a-z](?:(?![.,;] ).)*/g;

const HELD = '\0';
