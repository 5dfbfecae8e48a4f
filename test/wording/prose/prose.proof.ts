import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { proseFindings } from './lint.ts';
import { allScopes } from './scopes.ts';

// docs/contributing/style.md, as far as a program can judge it, over all that the project says.

/** Scopes that were not rewritten yet, and how many findings each has at most. A number only goes down; a scope without findings leaves. */
const PENDING: Readonly<Record<string, number>> = JSON.parse(readFileSync(new URL('pending.json', import.meta.url), 'utf8'));

describe.each(allScopes())('$name', ({ name, texts }) => {
  it('follows the style page', async () => {
    const findings: string[] = [];
    for (const [path, text] of texts) findings.push(...(await proseFindings(text)).map((finding) => `${path}:${finding}`));
    const { [name]: most } = PENDING;
    if (most === undefined) return expect(findings).toEqual([]);
    expect(findings.length, 'Lower the number in test/wording/prose/pending.json, or remove the scope.').toBeGreaterThan(most * 0.9 - 3);
    expect(findings.length, findings.join('\n')).toBeLessThanOrEqual(most);
  });
});
