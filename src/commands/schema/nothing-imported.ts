import { NotFoundError } from '../../errors.ts';

/** Nobody imported a description of this organisation here. */
export function nothingImported(host: string): NotFoundError {
  return new NotFoundError(`No description of ${host} is imported here.`, { hint: 'Import one: svc schema import <file>' });
}
