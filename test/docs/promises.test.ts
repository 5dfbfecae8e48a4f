// Each promise of the README, the tutorial, the guides and the explanations names the tests that cover it. After a change of
// test/docs/promises.ts: npx vitest run test/docs/promises.test.ts -u
import { describe, expect, it } from 'vitest';
import { faultOfNamed } from './named-tests.ts';
import { NO_PROMISES, PROMISES } from './promises.ts';
import { contentOf, PAGES, promisingSentences } from './sentences.ts';

const judged = new Map(
  PAGES.map((page) => [
    page,
    [...Object.values(NO_PROMISES).flatMap((pages) => pages[page] ?? []), ...(PROMISES[page] ?? []).map(([sentence]) => sentence)],
  ]),
);

describe.each(PAGES)('%s', (page) => {
  it('has a test, or a reason for no test, for each sentence with a promising word', () => {
    expect(promisingSentences(page).filter((sentence) => !judged.get(page)?.includes(sentence))).toEqual([]);
  });

  it('contains, word for word, each sentence that test/docs/promises.ts lists for the page', () => {
    const text = contentOf(page).replace(/\s+/g, ' ');
    expect((judged.get(page) ?? []).filter((sentence) => !text.includes(sentence))).toEqual([]);
  });

  it('has each sentence only once in test/docs/promises.ts', () => {
    const sentences = judged.get(page) ?? [];
    expect(sentences.filter((sentence, at) => sentences.indexOf(sentence) !== at)).toEqual([]);
  });
});

it('the list of promises names no unchecked page', () => {
  const named = [PROMISES, ...Object.values(NO_PROMISES)].flatMap((pages) => Object.keys(pages));
  expect(named.filter((page) => !PAGES.includes(page))).toEqual([]);
});

it('the list of promises names only tests that exist', () => {
  const tests = Object.values(PROMISES).flatMap((promises) => promises.flatMap(([, ...named]) => named));
  const faults = tests.map((test) => faultOfNamed(...partsOf(test)));
  expect(faults.filter((fault) => fault !== undefined)).toEqual([]);
});

it('the list of promises names a test for each promise', () => {
  expect(Object.values(PROMISES).flatMap((promises) => promises.filter(([, ...tests]) => tests.length === 0))).toEqual([]);
});

it('docs/contributing/promises.md equals the list of promises', async () => {
  await expect(table()).toMatchFileSnapshot('../../docs/contributing/promises.md');
});

function table(): string {
  const sections = Object.entries(PROMISES).map(([page, promises]) => {
    const rows = promises.map(([sentence, ...tests]) => {
      const named = tests.map(partsOf).map(([path, title]) => `\`${path}\`: \`${title}\``);
      return `| ${quoted(sentence)} | ${named.join(', ')} |`;
    });
    return `## ${page}\n\n| promise | test |\n|---|---|\n${rows.join('\n')}\n`;
  });
  return `# Promises

Each row has a sentence that promises something, and the tests that fail if the sentence stops being true. Paths of tests are relative to
\`test/\`.

\`test/docs/promises.ts\` is the source of this page. It also lists the sentences that only look like a promise, with the reason.

${sections.join('\n')}`;
}

/** A sentence as the text of a cell. Its links would lead elsewhere from this page. */
function quoted(sentence: string): string {
  return sentence.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('|', '\\|');
}

function partsOf(test: string): [path: string, title: string] {
  const at = test.indexOf(': ');
  return [test.slice(0, at), test.slice(at + 2)];
}
