import { loadTool } from './locked-tools.ts';

/** The rules of a check: sets of redocly, and single rules of it. */
interface LintRules {
  readonly extends: readonly string[];
  readonly rules: Readonly<Record<string, string | object>>;
}

/** The part of @redocly/openapi-core that the tests use. */
interface Redocly {
  createConfig(rules: LintRules): Promise<object>;
  lintFromString(options: { readonly source: string; readonly absoluteRef: string; readonly config: object }): Promise<readonly Problem[]>;
}

interface Problem {
  readonly severity: string;
  readonly ruleId: string;
  readonly message: string;
  readonly location: readonly { readonly pointer?: string }[];
}

/** Returns the errors and warnings of redocly for the text of an API spec, each with its place. */
export async function lintApiSpec(source: string, rules: LintRules): Promise<string[]> {
  const { createConfig, lintFromString } = await loadTool<Redocly>('redocly', '@redocly/openapi-core');
  const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config: await createConfig(rules) });
  return problems.map(({ severity, ruleId, message, location }) => `${severity} ${ruleId}: ${message} at ${location[0]?.pointer ?? ''}`);
}
