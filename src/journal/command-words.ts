/**
 * What was typed after `svc`, fit to be kept: without the values of headers and without a password in an address, which may be
 * secrets. Tokens are never arguments, and what stands in other flags is what is written to the service, which the journal has
 * anyway.
 */
export function commandWords(argv: readonly string[]): string[] {
  const words: string[] = [];
  let isHeader = false;
  for (const word of argv) {
    if (isHeader) words.push(WITHHELD);
    else if (word.startsWith('--header=')) words.push(`--header=${WITHHELD}`);
    else if (/^-H./.test(word)) words.push(`-H${WITHHELD}`);
    else words.push(word.replace(/:\/\/[^/@\s]*@/, `://${WITHHELD}@`));
    isHeader = !isHeader && (word === '-H' || word === '--header');
  }
  return words;
}

const WITHHELD = '…';
