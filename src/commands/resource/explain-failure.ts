import type { Resource, Verb } from '../../catalog/define.ts';
import { singularName, wordsOf } from '../../catalog/rules.ts';
import { pluralOf } from '../../cli/words.ts';
import { NotFoundError, RefusedError, type SvcError } from '../../errors.ts';
import { discover, entryOf, hasCollection } from '../../records/discovery.ts';
import type { Needs } from '../../session/context.ts';
import type { JsonObject } from '../../values/json.ts';

/**
 * Explains a 404, a 405, or a 422 about an assumed field, with at most one request. The cause of a 404 can be a disabled feature, a missing
 * path or a missing record (rules 1.20, 19.20).
 */
export async function explainFailure(
  context: Needs<'catalog' | 'client' | 'host' | 'signal'>,
  resource: Resource,
  verb: Verb,
  error: SvcError,
): Promise<SvcError> {
  if (error instanceof NotFoundError) return explainMissing(context, resource, verb, error);
  if (error instanceof RefusedError) return explainRefused(resource, verb, error);
  return error;
}

async function explainMissing(
  context: Needs<'catalog' | 'client' | 'host' | 'signal'>,
  resource: Resource,
  verb: Verb,
  error: NotFoundError,
): Promise<SvcError> {
  const { type, request } = error.details;
  // Any other problem type has its own message. A failure without a request comes from svc itself.
  if (request === undefined || (type !== 'endpoint-not-found' && type !== undefined)) return error;
  let entries: readonly JsonObject[];
  try {
    entries = await discover(context);
  } catch (failure) {
    if (context.signal.aborted || !(failure instanceof NotFoundError)) return error;
    const { name } = await context.host();
    return again(
      error,
      `The REST API of ${name} is switched off, or ${name} is not the organisation’s host.`,
      'Check the host. An administrator can switch the REST API on.',
    );
  }
  const words = wordsOf(resource);
  const noun = resource.parent?.noun ?? resource.noun;
  if (!entries.some((entry) => entryOf([entry], noun) !== undefined)) {
    return again(
      error,
      `${noun} is not enabled for this organisation.`,
      'An administrator can enable the feature. To see the enabled resources: svc resources',
    );
  }
  const entry = entryOf(entries, resource);
  if (verb === 'list' || verb === 'create') {
    if (resource.parent !== undefined) {
      const parent = singularName(resource.parent);
      return again(
        error,
        `There is no such ${parent}, or the ${parent} has no ${pluralOf(resource)} here.`,
        `Check the record: svc ${resource.parent.noun} get --help`,
      );
    }
    if (entry !== undefined && hasCollection(entry)) return error;
    const [nested] = (await context.catalog.all()).filter(({ itemsOf }) => itemsOf === resource.noun);
    const through = nested === undefined ? `See: svc resources ${words}` : `Use: svc ${wordsOf(nested)} ${verb} --help`;
    return again(error, `This organisation has no list of all ${pluralOf(resource)}.`, through);
  }
  const item = request.replace(/\/actions\/[^/]*$/, '');
  const id = decodeURIComponent(item.split('/').at(-1) ?? '');
  return again(error, `There is no ${singularName(resource)} ${id}.`, 'Check the id, and your permission to see the record.');
}

function again(error: NotFoundError, message: string, hint: string): NotFoundError {
  return new NotFoundError(message, { hint, details: error.details, cause: error });
}

const DOINGS: Readonly<Record<Verb, string>> = {
  list: 'listed',
  get: 'read one by one',
  create: 'created',
  update: 'changed',
  delete: 'deleted',
};

function explainRefused(resource: Resource, verb: Verb, error: RefusedError): SvcError {
  const { status, parameter } = error.details;
  if (status === 405) {
    return new RefusedError(`${pluralOf(resource)} cannot be ${DOINGS[verb]} here: the service has no such operation.`, {
      hint: `To see its operations: svc resources ${resource.parent?.noun ?? resource.noun}`,
      details: error.details,
      cause: error,
    });
  }
  const field = parameter === undefined || !Object.hasOwn(resource.fields, parameter) ? undefined : resource.fields[parameter];
  if (status !== 422 || !field?.assumed) return error;
  return new RefusedError(error.message, {
    hint: `The service’s documentation does not show ${parameter}; svc assumed the field. Any other field: -F name=value. Known fields: svc resources ${resource.parent?.noun ?? resource.noun}`,
    details: error.details,
    cause: error,
  });
}
