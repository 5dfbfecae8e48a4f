import { TextlintKernel } from '@textlint/kernel';
import markdown from '@textlint/textlint-plugin-markdown';
import terminology from 'textlint-rule-terminology';
import { sentences } from './sentences.ts';
import { TERMS } from './terms.ts';

const kernel = new TextlintKernel();

/** What a text in Markdown says in other words than docs/contributing/style.md wants: `line:column what to change`, in order. */
export async function proseFindings(text: string): Promise<string[]> {
  const { messages } = await kernel.lintText(text, {
    ext: '.md',
    plugins: [{ pluginId: 'markdown', plugin: markdown.default ?? markdown }],
    rules: [
      { ruleId: 'terminology', rule: terminology, options: { defaultTerms: false, terms: TERMS } },
      { ruleId: 'sentences', rule: sentences },
    ],
  });
  return messages.map(({ line, column, message }) => `${line}:${column} ${message}`);
}
