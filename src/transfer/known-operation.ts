import type { DescribedField } from '../schema/described.ts';

/** An operation of the organisation's API, as far as somebody said what it is: its own description, or its discovery. */
export interface KnownOperation {
  /** In capitals. */
  readonly method: string;
  /** Below the API, with `{name}` for its parameters. */
  readonly path: string;
  /** The members of its body. Absent: nobody said; discovery never does. */
  readonly body?: Readonly<Record<string, DescribedField>>;
  /** Parameters of its query, as far as they are its own. */
  readonly query?: Readonly<Record<string, DescribedField>>;
  /** What its body is written in, where that is not JSON. */
  readonly contentType?: string;
  /** The description says what its body is; discovery says that it is there. */
  readonly from: 'description' | 'discovery';
}

/** A path's parts, each `{}` where it is a parameter. */
export function shapeOf(path: string): string[] {
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
  const [parts, shape] = [path.split('/').filter((part) => part !== ''), shapeOf(template)];
  return parts.length === shape.length && shape.every((part, index) => part === '{}' || part === parts[index]);
}

/** Whether a body of this type is a file's bytes, bare or in a form, and no JSON. */
export function takesFile(contentType: string | undefined): boolean {
  return contentType !== undefined && !/\bjson\b|x-www-form-urlencoded/i.test(contentType);
}

export function isForm(contentType: string | undefined): boolean {
  return /^multipart\/form-data\b/i.test(contentType ?? '');
}
