import type { KnobTable } from './table.ts';

/** What there is, and how `GET /` tells of it. */
export const discoveryKnobs = {
  /** How discovery writes `path` and `item_path`: `/worklogs`, `/api/v2/worklogs`, `https://host/api/v2/worklogs`. */
  discoveryPaths: ['relative', 'rooted', 'absolute'],
  /** What an entry calls the name of its resource. */
  discoveryName: ['name', 'resource', 'key'],
  /**
   * How an entry writes its operations: `{"name", "method", "path"}` each, without the name, as texts like
   * `GET /worklogs`, or an object from the name to method and path.
   */
  discoveryOperations: ['named', 'unnamed', 'texts', 'map'],
  /** Actions among the operations of their resource, as entries of their own, or not at all. */
  discoveryActions: ['in-entry', 'own-entry', 'none'],
  /** Whether discovery has an entry for `/me`. */
  discoveryMe: [true, false],
  /** Whether discovery has an entry for `/upload-tickets`, when the address is there. */
  discoveryUploads: [true, false],
  /** `GET /` for a token whose abilities are all narrowed. */
  narrowedDiscovery: ['answered', 'refused'],
  /** `GET /me` for a token whose abilities are all narrowed. */
  narrowedMe: ['answered', 'refused'],
  /** Whether `/subtasks`, `/sales-invoice-rows` and other children are listed at the top too. */
  topLevelChildren: [true, false],
  /** Where a file is sent: by a ticket of its work item or of `/upload-tickets`, by one of these alone, or nowhere. */
  uploads: ['both', 'work-item', 'tickets', 'none'],
  /** What the contents of a file are sent as: the body alone or the part `file` of a form, or one of these. */
  uploadContents: ['either', 'octet-stream', 'multipart'],
  /** Which upload steps answer 401 to an app: the one that takes the contents, or asking for a ticket as well. */
  uploadsRefuseApps: ['contents', 'every-step'],
} as const satisfies KnobTable;
