import type { KnobTable } from './table.ts';

/** The OpenAPI document: whether there is one, and how it is written. Real ones differ, and say the same. */
export const documentKnobs = {
  /** Whether the service has its document at `/openapi.json` and `/openapi.yaml`. */
  openapi: ['served', 'absent'],
  /** The version of OpenAPI that it is written in. */
  openapiVersion: ['3.1.0', '3.0.3'],
  /** Filters as a parameter each, or all of a collection as one object (`deepObject`). */
  openapiFilters: ['parameters', 'deep-object'],
  /** What may be null: `type: [string, "null"]`, or a choice of schemas. In 3.0.3 it is `nullable: true` whatever this says. */
  openapiNull: ['type-list', 'any-of', 'one-of'],
  /** The schema of a detail view: every field in it, or the summary's by reference and the rest. */
  openapiSchemas: ['flat', 'all-of'],
  /** Schemas of request bodies: among the components, or where they are used. */
  openapiBodies: ['components', 'inline'],
  /** The address of its server: in full, or without the host. */
  openapiServers: ['absolute', 'relative'],
  /** Where `/api/v2` stands: in the address of the server, or in every path. */
  openapiPrefix: ['server', 'paths'],
  /** What `include` takes: a list of an enum, or a text with a pattern. */
  openapiIncludes: ['list', 'pattern'],
  /** What an operation needs of a token: as scopes of its security, as `x-abilities`, or in the words of its description. */
  openapiAbilities: ['scopes', 'extension', 'words'],
} as const satisfies KnobTable;
