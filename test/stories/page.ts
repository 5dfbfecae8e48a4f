import type { Screen, Size } from './shell.ts';
import { ORGANISATIONS, type Story } from './stories.ts';

/**
 * Returns the screens of a story as a page. Typed text appears as the terminal shows it. Pressed keys appear under their screen.
 * A placeholder of the same length replaces each random value, so that nothing moves.
 */
export function storyPage({ title }: Story, { columns, rows }: Size, screens: readonly Screen[], hosts: readonly string[]): string {
  const rule = '─'.repeat(columns);
  const parts = screens.map(({ rows: shown, above, reply }) => {
    const gone = above === 0 ? [] : [`↑ ${above} more above`];
    const pressed = reply === undefined ? [] : [...(reply.type === undefined ? [] : [reply.type]), ...(reply.press ?? [])];
    const keys = pressed.length === 0 ? [] : [`⌨ ${pressed.join(' ')}`];
    return [rule, ...gone, ...shown, ...keys].join('\n');
  });
  return `${title} (${columns}x${rows})\n\n${withoutChance(parts.join('\n'), hosts)}\n${rule}\n`;
}

/** Replaces organisations by their names, and random values by placeholders. A row may end within either. */
function withoutChance(text: string, hosts: readonly string[]): string {
  const named = hosts.reduce((shown, host, index) => shown.replace(broken(host), likeIt(ORGANISATIONS[index] ?? host)), text);
  return named
    .replace(new RegExp(`(?<=(?:${DRAWN.map((name) => broken(name).source).join('|')})\\n?)[\\w\\n-]+`, 'g'), covered)
    .replace(/(?<=127\.0\.0\.1%3A)\d+/g, covered)
    .replace(/\b01[0-9A-HJKMNP-TV-Z]{24}\b/g, covered);
}

/** The texts that precede random values. */
const DRAWN = ['client_id=', 'state=', 'code_challenge='];

function covered(drawn: string): string {
  return drawn.replace(/[\w-]/g, 'x');
}

/** Returns an expression for a text that may continue on the next row. */
function broken(text: string): RegExp {
  return new RegExp([...text].map((letter) => letter.replace('.', '\\.')).join('\n?'), 'g');
}

/** Replaces each match with a text of the same length, and keeps the row ends. */
function likeIt(text: string): (found: string) => string {
  return (found) => {
    const letters = [...text];
    return [...found].map((letter) => (letter === '\n' ? letter : letters.shift())).join('');
  };
}
