/**
 * A text broken at blanks so that no line is wider than `width` characters, if its words let it; its own line breaks stay, and so does a
 * line that fits. A command that somebody is told to type stays on one line, if it fits into one.
 */
export function wrap(text: string, width: number): string {
  return text
    .split('\n')
    .map((paragraph) => {
      if (paragraph.length <= width) return paragraph;
      const lines: string[] = [];
      for (const word of paragraph.replace(COMMAND, (command) => whole(command, width)).split(' ')) {
        const last = lines.at(-1);
        if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
        else lines.push(word);
      }
      return lines.join('\n').replaceAll(HELD, ' ');
    })
    .join('\n');
}

/** A command after a colon, up to the end of its sentence: `Sign in: svc login acme.example.com. Then …`. */
const COMMAND = /(?<=: )svc [a-z](?:(?![.,;] ).)*/g;

/** Stands for a blank at which no line ends. */
const HELD = '\0';

function whole(command: string, width: number): string {
  return command.length > width ? command : command.replaceAll(' ', HELD);
}
