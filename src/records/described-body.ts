import type { Resource } from '../catalog/define.ts';
import { isWritable, wordsOf } from '../catalog/rules.ts';
import type { Needs } from '../session/context.ts';
import { checkMembers } from '../session/described-writes.ts';
import { type JsonValue, ownEntry } from '../values/json.ts';

/**
 * Checks the body of a create or an update against the organisation's API spec.
 *
 * @throws UsageError as {@link checkMembers}.
 */
export async function checkBody(
  context: Needs<'tellOnce'>,
  resource: Resource,
  operation: 'create' | 'update',
  body: Readonly<Record<string, JsonValue>>,
): Promise<void> {
  const { fields, described } = resource;
  if (described === undefined || described.open) return;
  const whyNot = (name: string): string | undefined => {
    const field = ownEntry(fields, name);
    if (field === undefined || isWritable(field, operation)) return undefined;
    if (field.write === undefined) return 'the service sets this field';
    return field.write === 'create' ? 'only a create can set this field' : 'only an update can set this field';
  };
  await checkMembers(context, { words: wordsOf(resource), host: described.host, whyNot }, fields, body);
}
