import { loadTool } from '../../support/locked-tools.ts';
import { sentences } from './sentences.ts';
import { TERMS } from './terms.ts';

/** The part of textlint’s kernel that these tests use. */
interface KernelModule {
  readonly TextlintKernel: new () => {
    lintText(
      text: string,
      options: { readonly ext: string; readonly plugins: readonly object[]; readonly rules: readonly object[] },
    ): Promise<{ readonly messages: readonly { readonly line: number; readonly column: number; readonly message: string }[] }>;
  };
}

const loaded = Promise.all([
  loadTool<KernelModule>('textlint', '@textlint/kernel'),
  loadTool<{ readonly default: unknown }>('textlint', '@textlint/textlint-plugin-markdown'),
  loadTool<{ readonly default?: unknown }>('textlint', 'textlint-rule-terminology'),
]);

/** Returns the findings of a Markdown text by docs/contributing/style.md: `line:column change`, in order. */
export async function proseFindings(text: string): Promise<string[]> {
  const [{ TextlintKernel }, markdown, terminology] = await loaded;
  const { messages } = await new TextlintKernel().lintText(text, {
    ext: '.md',
    plugins: [{ pluginId: 'markdown', plugin: markdown.default }],
    rules: [
      { ruleId: 'terminology', rule: terminology.default ?? terminology, options: { defaultTerms: false, terms: TERMS } },
      { ruleId: 'sentences', rule: sentences },
    ],
  });
  return messages.map(({ line, column, message }) => `${line}:${column} ${message}`);
}
