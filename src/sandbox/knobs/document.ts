import type { KnobTable } from './table.ts';

/** The API spec: whether the service has one, and how it is written. Real specs differ in form and agree in meaning. */
export const documentKnobs = {
  /** Whether the service has an API spec at `/openapi.json` and `/openapi.yaml`. */
  openapi: ['served', 'absent'],
  /** The version of OpenAPI that it is written in. */
  openapiVersion: ['3.1.0', '3.0.3'],
  /** Filters as a parameter each, or all of a collection as one object (`deepObject`). */
  openapiFilters: ['parameters', 'deep-object'],
  /** Values that may be null: `type: [string, "null"]`, or a choice of schemas. In 3.0.3 `nullable: true` replaces both. */
  openapiNull: ['type-list', 'any-of', 'one-of'],
  /** The schema of a detail view: every field in it, or the summary's by reference and the rest. */
  openapiSchemas: ['flat', 'all-of'],
  /** Schemas of request bodies: among the components, or where they are used. */
  openapiBodies: ['components', 'inline'],
  /** The address of its server: in full, or without the host. */
  openapiServers: ['absolute', 'relative'],
  /** The place of `/api/v2`: the address of the server, or every path. */
  openapiPrefix: ['server', 'paths'],
  /** The type of `include`: a list of an enum, or a string with a pattern. */
  openapiIncludes: ['list', 'pattern'],
  /** The form of the abilities that an operation needs: scopes of its security, `x-abilities`, or words in its description. */
  openapiAbilities: ['scopes', 'extension', 'words'],
} as const satisfies KnobTable;
