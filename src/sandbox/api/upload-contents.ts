import type { SandboxKnobs } from '../knobs.ts';
import { Problem } from '../problem.ts';
import type { Call } from './call.ts';

/** Media types of an upload, by the value of the option `uploadContents`. */
export const CONTENT_TYPES = {
  either: ['application/octet-stream', 'multipart/form-data'],
  'octet-stream': ['application/octet-stream'],
  multipart: ['multipart/form-data'],
} as const satisfies Readonly<Record<SandboxKnobs['uploadContents'], readonly string[]>>;

/** The part of a form that holds the file. */
export const FILE_PART = 'file';

/**
 * The contents that an upload brought: the body as it is, or the file of a form.
 * @throws Problem 415 for a form where none is taken, or anything else where nothing else is; 400 for a form without the file.
 */
export function contentsOf({ bytes, headers, world }: Call): Buffer {
  const type = headers.get('content-type') ?? '';
  const isForm = /^multipart\/form-data\b/i.test(type);
  const { uploadContents } = world.knobs;
  if ((isForm && uploadContents === 'octet-stream') || (!isForm && uploadContents === 'multipart')) {
    throw new Problem(415, 'unsupported-media-type', `Send the contents as ${CONTENT_TYPES[uploadContents][0]}.`);
  }
  return isForm ? fileOf(bytes, /boundary="?([^";]+)"?/i.exec(type)?.[1]) : bytes;
}

/** The file of a multipart form (RFC 7578): the part of this name, between two boundaries. */
function fileOf(form: Buffer, boundary: string | undefined): Buffer {
  const missing = new Problem(400, 'malformed-request', `The form has no part named ${FILE_PART}.`);
  if (boundary === undefined) throw missing;
  const line = Buffer.from(`--${boundary}`);
  let at = form.indexOf(line);
  while (at !== -1) {
    const next = form.indexOf(line, at + line.length);
    const head = form.indexOf('\r\n\r\n', at);
    if (next === -1 || head === -1) break;
    const names = form.subarray(at, head).toString();
    // A blank line ends the head of a part, a line break its contents.
    if (new RegExp(`\\bname="?${FILE_PART}"?(?:;|\\r|$)`).test(names)) return form.subarray(head + 4, next - 2);
    at = next;
  }
  throw missing;
}
