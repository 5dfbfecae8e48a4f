import { TextlintKernel } from '@textlint/kernel';
import markdown from '@textlint/textlint-plugin-markdown';
import terminology from 'textlint-rule-terminology';
import { sentences } from './sentences.ts';
import { TERMS } from './terms.ts';

const kernel = new TextlintKernel();

/** Returns the findings of a Markdown text by docs/contributing/style.md: `line:column change`, in order. */
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
