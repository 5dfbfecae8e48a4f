/** Quotes a user’s own text for a message: in double quotes, on one line, cut after 60 characters. */
export function quote(text: string): string {
  const characters = [...text.replace(/\s+/g, ' ')];
  return `"${characters.length > LONGEST ? `${characters.slice(0, LONGEST - 1).join('')}…` : characters.join('')}"`;
}

const LONGEST = 60;
