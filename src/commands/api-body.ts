import { createHash } from 'node:crypto';
import { naming } from '../cli/naming.ts';
import type { ApiBody } from '../client/api-client.ts';
import { UsageError } from '../errors.ts';
import { readFields } from '../records/body.ts';
import type { LocalFile } from '../records/local-file.ts';
import type { Needs } from '../session/context.ts';
import type { FormPart } from '../transfer/multipart.ts';
import { type Assignment, parseRawField, parseTypedField, writePath } from '../values/assignment.ts';
import { assertNotTooDeep, type JsonObject, type JsonValue } from '../values/json.ts';

export type ReadingBody = 'files' | 'paths' | 'readBytesArgument' | 'readFileArgument' | 'signal' | 'stdio';

interface BodyFlags {
  readonly field?: readonly string[] | undefined;
  readonly rawField?: readonly string[] | undefined;
  readonly form?: true | undefined;
  readonly input?: string | undefined;
}

export interface TypedBody {
  readonly body?: ApiBody;
  readonly query?: JsonObject;
  /** True if the body contains a file. Uploads need a personal access token (rule 13.75). */
  readonly upload: boolean;
  /** The value that `--dry-run` shows as the body. Undefined without a body. */
  readonly shown: JsonValue | undefined;
  /** True if the body sets its own Content-Type. svc then ignores a typed Content-Type header. */
  readonly ownsType: boolean;
  close(): Promise<void>;
}

export async function readTypedBody(
  context: Needs<ReadingBody>,
  method: string,
  headers: Readonly<Record<string, string>>,
  flags: BodyFlags,
): Promise<TypedBody> {
  const contentType = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  const isForm = /^multipart\/form-data\s*$/i.test(contentType ?? '');
  if (flags.form || (isForm && flags.input === undefined)) return readForm(context, method, flags);
  const fields = await readFields(context, flags.rawField, flags.field);
  const hasFields = Object.keys(fields).length > 0;
  const plain = { upload: false, shown: undefined, ownsType: false, close: async () => undefined };
  if (flags.input === undefined) {
    if (!hasFields) return plain;
    return method === 'GET' ? { ...plain, query: fields } : { ...plain, body: { json: fields }, shown: fields };
  }
  if (hasFields && method !== 'GET')
    throw new UsageError('You cannot use --input and fields together.', { hint: 'Use --input or fields.' });
  const query = hasFields ? { query: fields } : {};
  // If the Content-Type is not JSON, the file of --input is an upload.
  if (contentType !== undefined && !/\bjson\b/i.test(contentType)) {
    const file = await openFile(context, flags.input, 'input');
    const body = { source: file.source, contentType, digest: `sha-256 ${file.sha256}` };
    return { ...plain, ...query, body, upload: true, shown: bytesOf(file), close: file.close };
  }
  const raw = await context.readBytesArgument(flags.input);
  const shown = new TextDecoder().decode(raw);
  // The journal compares the body with earlier writes, so svc limits the depth of the JSON.
  assertNotTooDeep(shown, '--input');
  return { ...plain, ...query, body: { raw, ...(contentType !== undefined && { contentType }) }, shown };
}

async function readForm(context: Needs<ReadingBody>, method: string, { rawField, field, input }: BodyFlags): Promise<TypedBody> {
  if (input !== undefined)
    throw new UsageError('You cannot use --input and --form together.', { hint: 'To send a file in the form: -F name=@file' });
  if (method === 'GET' || method === 'HEAD')
    throw new UsageError(`You cannot use --form with ${method}, because a ${method} has no body.`, { hint: 'Set the method: -X POST' });
  const assignments: readonly Assignment[] = [
    ...(await Promise.all((rawField ?? []).map((text) => naming('-f', () => parseRawField(text))))),
    ...(await Promise.all((field ?? []).map((text) => naming('-F', () => parseTypedField(text))))),
  ];
  if (assignments.length === 0) throw new UsageError('--form needs fields.', { hint: 'For example: -F file=@screen.png -f name=Screen' });
  const files: LocalFile[] = [];
  const close = async () => {
    for (const file of files) await file.close();
  };
  try {
    const parts: FormPart[] = [];
    const shown: Record<string, JsonValue> = {};
    const marks: string[] = [];
    for (const { path, value } of assignments) {
      const name = writePath(path);
      if (value.kind === 'file') {
        const file = await openFile(context, value.path, name);
        files.push(file);
        parts.push({ name, fileName: file.name, mediaType: file.mediaType, source: file.source });
        marks.push(JSON.stringify([name, file.name, file.mediaType, file.sha256]));
        shown[name] = bytesOf(file);
      } else {
        parts.push({ name, text: value.text });
        marks.push(JSON.stringify([name, value.text]));
        shown[name] = value.text;
      }
    }
    const { multipart } = await import('../transfer/multipart.ts');
    const digest = createHash('sha256').update(marks.join('\n')).digest('hex');
    const { contentType, source } = multipart(parts, digest.slice(0, 40));
    return { body: { source, contentType, digest: `form ${digest}` }, upload: files.length > 0, shown, ownsType: true, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openFile(context: Needs<ReadingBody>, path: string, field: string): Promise<LocalFile> {
  const { openLocalFile } = await import('../records/local-file.ts');
  return openLocalFile(context, path, path === '-' ? { name: field } : {});
}

function bytesOf({ name, size }: LocalFile): string {
  return `<the ${size} bytes of ${name}>`;
}
