import type { Resource } from '../../catalog/define.ts';
import type { Example } from '../define.ts';

/** A resource's own examples of a verb, else one that always holds. */
export function examplesOf(resource: Resource, verb: string): readonly Example[] {
  const own = (resource.examples ?? []).filter((example) => example.verb === verb);
  const { noun, singular } = resource;
  if (own.length > 0) return own.map(({ args, does }) => ({ args: `${noun} ${verb} ${args}`, does }));
  const id = resource.keyed ? 'ABC-12' : '12';
  const what = singular.replaceAll('-', ' ');
  switch (verb) {
    case 'list':
      return [{ args: `${noun} list --limit 10`, does: `The first ten` }];
    case 'get':
      return [
        { args: `${noun} get ${id}`, does: `One ${what}` },
        { args: `${noun} get ${id} --output json --jq .${resource.columns[1] ?? 'id'}`, does: 'One field of it' },
      ];
    case 'update':
      return [{ args: `${noun} update ${id} -F name=value --if-unchanged`, does: 'Change a field, unless somebody else did meanwhile' }];
    case 'delete':
      return [{ args: `${noun} delete ${id}`, does: `Delete it, after a question` }];
    default:
      return [];
  }
}
