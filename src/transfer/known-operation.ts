import type { DescribedField } from '../schema/described.ts';

export interface KnownOperation {
  readonly method: string;
  /** The path within the API, with `{name}` for its parameters. */
  readonly path: string;
  readonly body?: Readonly<Record<string, DescribedField>>;
  readonly query?: Readonly<Record<string, DescribedField>>;
  readonly contentType?: string;
}

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

export function fitsTemplate(path: string, template: string): boolean {
  const [parts, shape] = [path.split('/').filter((part) => part !== ''), pathShape(template)];
  return parts.length === shape.length && shape.every((part, index) => part === '{}' || part === parts[index]);
}

const FILE_PARTS = ['file', 'contents', 'content', 'attachment', 'upload', 'document', 'data', 'files[]', 'files'];

export function filePartOf({ body = {} }: KnownOperation): string {
  return FILE_PARTS.find((name) => Object.hasOwn(body, name)) ?? 'file';
}

export function takesFile(contentType: string | undefined): boolean {
  return contentType !== undefined && !/\bjson\b|x-www-form-urlencoded/i.test(contentType);
}

export function isForm(contentType: string | undefined): boolean {
  return /^multipart\/form-data\b/i.test(contentType ?? '');
}
