import { lintApiSpec } from '../../support/api-spec-linter.ts';

/** Returns the errors and warnings of redocly for a document, by its strict rules and some optional rules. */
export async function lint(document: unknown): Promise<string[]> {
  return lintApiSpec(JSON.stringify(document), {
    extends: ['recommended-strict'],
    rules: {
      'operation-4xx-response': 'error',
      'operation-2xx-response': 'error',
      'operation-operationId': 'error',
      'operation-operationId-url-safe': 'error',
      'operation-singular-tag': 'error',
      'operation-tag-defined': 'error',
      'operation-description': 'off',
      'parameter-description': 'error',
      'path-segment-plural': 'off',
      'paths-kebab-case': 'error',
      'no-http-verbs-in-paths': 'off',
      'no-path-trailing-slash': 'error',
      'no-unused-components': 'error',
      'no-required-schema-properties-undefined': 'error',
      'no-schema-type-mismatch': 'error',
      'no-enum-type-mismatch': 'error',
      'no-ambiguous-paths': 'error',
      'array-parameter-serialization': 'error',
      'tag-description': 'error',
      'tags-alphabetical': 'off',
      'security-defined': 'error',
      'response-contains-header': { severity: 'error', names: { '2xx': ['X-Request-Id', 'RateLimit'] } },
    },
  });
}
