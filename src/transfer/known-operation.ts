import type { DescribedField } from '../schema/described.ts';

/** An operation of the organisation's API, as its imported API spec has it. */
export interface KnownOperation {
  /** In capitals. */
  readonly method: string;
  /** Below the API, with `{name}` for its parameters. */
  readonly path: string;
  /** The members of its body. Absent: it takes none. */
  readonly body?: Readonly<Record<string, DescribedField>>;
  /** Parameters of its query, as far as they are its own. */
  readonly query?: Readonly<Record<string, DescribedField>>;
  /** What its body is written in, where that is not JSON. */
  readonly contentType?: string;
}

/** A path's parts, each `{}` where it is a parameter. */
export function pathShape(path: string): string[] {
  return path
    .split('/')
    .filter((part) => part !== '')
    .map((part) => (part.startsWith('{') ? '{}' : part));
}

/** A template with its parameters filled in, in turn; each must be fit for a path. */
export function filledPath(template: string, values: readonly string[]): string {
  const left = [...values];
  return template.replace(/\{[^}]*\}/g, () => encodeURIComponent(left.shift() ?? ''));
}

/** Whether a path, such as that of an address, is one that a template stands for. */
export function fitsTemplate(path: string, template: string): boolean {
  const [parts, shape] = [path.split('/').filter((part) => part !== ''), pathShape(template)];
  return parts.length === shape.length && shape.every((part, index) => part === '{}' || part === parts[index]);
}

/** What the parts of a form that hold a file are called. */
const FILE_PARTS = ['file', 'contents', 'content', 'attachment', 'upload', 'document', 'data', 'files[]', 'files'];

/** The part of its form that holds the file. */
export function filePartOf({ body = {} }: KnownOperation): string {
  return FILE_PARTS.find((name) => Object.hasOwn(body, name)) ?? 'file';
}

/** Whether a body of this type is a file's bytes, bare or in a form, and no JSON. */
export function takesFile(contentType: string | undefined): boolean {
  return contentType !== undefined && !/\bjson\b|x-www-form-urlencoded/i.test(contentType);
}

export function isForm(contentType: string | undefined): boolean {
  return /^multipart\/form-data\b/i.test(contentType ?? '');
}
