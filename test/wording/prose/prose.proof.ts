import { describe, expect, it } from 'vitest';
import { proseFindings } from './lint.ts';
import { allScopes } from './scopes.ts';

// docs/contributing/style.md, as far as a program can judge it, over all that the project says.

describe.each(allScopes())('$name', ({ texts }) => {
  it('follows the style page', async () => {
    const findings: string[] = [];
    for (const [path, text] of texts) findings.push(...(await proseFindings(text)).map((finding) => `${path}:${finding}`));
    expect(findings).toEqual([]);
  });
});
