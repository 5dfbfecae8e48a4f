const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Whether a request is a step of an upload, which may take personal tokens only (rule 13.75). Their paths are not documented
 * (rule 18.21): those that the documentation names, `/upload-tickets` and uploads below a record, and what ends in `content`.
 *
 * @param method Upper case.
 */
export function isUploadStep(method: string, url: string): boolean {
  if (READS.has(method)) return false;
  const segments = new URL(url).pathname.split('/').filter((segment) => segment !== '');
  return segments.some((segment) => segment === 'uploads' || segment === 'upload-tickets') || segments.at(-1) === 'content';
}
