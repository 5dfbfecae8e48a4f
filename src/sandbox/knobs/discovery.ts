import type { KnobTable } from './table.ts';

/** Resources, uploads and children that the service has, and their form in `GET /`. */
export const discoveryKnobs = {
  /** How discovery writes `path` and `item_path`: `/worklogs`, `/api/v2/worklogs`, `https://host/api/v2/worklogs`. */
  discoveryPaths: ['relative', 'rooted', 'absolute'],
  /** The member of an entry that holds the name of its resource. */
  discoveryName: ['name', 'resource', 'key'],
  /**
   * How an entry writes its operations: `{"name", "method", "path"}` each; the same without the name; strings like `GET
   * /worklogs`; or an object from the name to method and path.
   */
  discoveryOperations: ['named', 'unnamed', 'texts', 'map'],
  /** Actions: among the operations of their resource, as entries of their own, or not at all. */
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
  /** The ticket that an upload needs: one of its work item or of `/upload-tickets`, one of these alone, or no uploads at all. */
  uploads: ['both', 'work-item', 'tickets', 'none'],
  /** The form of an upload: the body alone or the part `file` of a form, or one of these. */
  uploadContents: ['either', 'octet-stream', 'multipart'],
  /** Whether the contents of a file can be read, below its record, or nowhere. */
  downloads: ['content', 'none'],
  /** Which upload steps answer 401 to an app: the one that takes the contents, or asking for a ticket as well. */
  uploadsRefuseApps: ['contents', 'every-step'],
} as const satisfies KnobTable;
