import type { DescribedField } from '../schema/described.ts';

/** An operation of the organisation's API, as its imported API spec has it. */
export interface KnownOperation {
  /** In capitals. */
  readonly method: string;
  /** Below the API, with `{name}` for its parameters. */
  readonly path: string;
  /** The members of its body. Absent: no body. */
  readonly body?: Readonly<Record<string, DescribedField>>;
  /** Query parameters of the operation’s own. */
  readonly query?: Readonly<Record<string, DescribedField>>;
  /** Content type of its body, if that is not JSON. */
  readonly contentType?: string;
}

/** Returns the parts of a path, with `{}` for each parameter. */
export function pathShape(path: string): string[] {
  return path
    .split('/')
    .filter((part) => part !== '')
    .map((part) => (part.startsWith('{') ? '{}' : part));
}

/** Fills the parameters of a template, one after the other, with encoded values. */
export function filledPath(template: string, values: readonly string[]): string {
  const left = [...values];
  return template.replace(/\{[^}]*\}/g, () => encodeURIComponent(left.shift() ?? ''));
}

/** Whether a path, such as that of an address, matches a template. */
export function fitsTemplate(path: string, template: string): boolean {
  const [parts, shape] = [path.split('/').filter((part) => part !== ''), pathShape(template)];
  return parts.length === shape.length && shape.every((part, index) => part === '{}' || part === parts[index]);
}

/** Names of form parts for a file. */
const FILE_PARTS = ['file', 'contents', 'content', 'attachment', 'upload', 'document', 'data', 'files[]', 'files'];

/** Returns the part of the form for the file. */
export function filePartOf({ body = {} }: KnownOperation): string {
  return FILE_PARTS.find((name) => Object.hasOwn(body, name)) ?? 'file';
}

/** Whether a body of this type is a file, bare or in a form, and not JSON. */
export function takesFile(contentType: string | undefined): boolean {
  return contentType !== undefined && !/\bjson\b|x-www-form-urlencoded/i.test(contentType);
}

export function isForm(contentType: string | undefined): boolean {
  return /^multipart\/form-data\b/i.test(contentType ?? '');
}
