import { defineCommand, defineGroup } from '../cli/spec.ts';
import { policyPath } from '../config/paths.ts';
import { NotFoundError, UsageError } from '../errors.ts';
import { confirm } from '../session/confirm.ts';
import type { Asking, Context, Needs } from '../session/context.ts';
import { MOST_POLICY_BYTES, type Policy, readPolicy, ruleText } from '../session/policy.ts';
import { type Printing, printLine, printRecords } from '../session/print.ts';
import { nearest } from '../values/suggest.ts';
import { quote } from '../values/text.ts';

const EXAMPLE =
  '{"allow": [{"resource": "worklogs", "verbs": ["create", "update"], "fields": ["minutes", "description"], "where": {"user_id": "me"}, "per_day": {"minutes": 480}}]}';

const set = defineCommand({
  name: 'set',
  showsGlobals: [],
  summary: 'Set what svc may write, from a file',
  description: `svc sends only writes that a rule of the policy allows, and exits with 5 for other writes. A policy is JSON: ${EXAMPLE}. verbs are create, update, delete, upload, and actions such as transition. fields are the fields that a write may set. where has values that the record must have before and after the write; me is your id. per_day limits the sum of a field over your writes of a day. "reads", next to "allow", lists the resources that svc may read (default: all). svc stores a copy of the policy. SVC_POLICY names a second policy, and svc follows both.`,
  args: [{ name: 'file', summary: 'A file with a policy, or - for standard input', completes: 'file' }],
  examples: [{ args: 'policy set agents.json', does: 'Follow the policy in a file' }],
  async run(context: Needs<'catalog' | 'files' | 'notice' | 'paths' | 'readFileArgument'>, { args: [file = ''] }) {
    const text = await context.readFileArgument(file);
    if (text.length > MOST_POLICY_BYTES) throw new UsageError('The policy is larger than 256 KiB.', { hint: 'Use fewer rules.' });
    const policy = readPolicy(text, file);
    await context.files.writeAtomic(policyPath(context.paths), text);
    await reportUnknown(context, policy);
    await context.notice(`svc follows this policy from now on. svc may write: ${policy.allow.map(ruleText).join('. ') || 'nothing'}.`);
  },
});

const show = defineCommand({
  name: 'show',
  showsGlobals: ['output', 'fields', 'jq'],
  summary: 'Show what svc may write, and the source of each policy',
  description: 'svc follows all policies: that of svc policy set, SVC_POLICY, SVC_READ_ONLY, SVC_PLAN_ONLY and the setting read-only.',
  examples: [{ args: 'policy show', does: 'Show each policy with its rules' }],
  async run(context: Needs<Printing | 'policies'>) {
    const active = await context.policies();
    if (!(await context.presentation()).isDefaultFormat) {
      const rows = active.map(({ source, allow, reads }) => ({
        source,
        allow: JSON.parse(JSON.stringify(allow)),
        reads: reads ? [...reads] : null,
      }));
      return printRecords(context, rows, ['source', 'allow', 'reads']);
    }
    if (active.length === 0) return printLine(context, 'There is no policy: svc sends every write that your token allows.');
    for (const { source, allow, reads } of active) {
      await printLine(context, `${source}: svc may send ${allow.length === 0 ? 'no write' : 'only writes that a rule allows'}.`);
      for (const [index, rule] of allow.entries()) await printLine(context, `  ${index + 1}. ${ruleText(rule)}`);
      if (reads !== undefined) await printLine(context, `  svc may read ${reads.join(', ')}.`);
    }
  },
});

const remove = defineCommand({
  name: 'remove',
  showsGlobals: ['yes'],
  summary: 'Remove the policy that you set',
  description: 'svc asks first; --yes answers the question. SVC_POLICY, SVC_READ_ONLY and the setting read-only still apply.',
  examples: [{ args: 'policy remove', does: 'Send every write that your token allows' }],
  async run(context: Needs<Asking | 'files' | 'globals' | 'notice' | 'paths'>) {
    const path = policyPath(context.paths);
    if ((await context.files.stat(path)) === undefined)
      throw new NotFoundError('There is no policy to remove.', { hint: 'To see the other policies: svc policy show' });
    await confirm(context, {
      question: 'Let svc send every write that your token allows?',
      unasked: 'svc asks before it removes a policy, and cannot ask here.',
      declined: 'The policy is unchanged.',
    });
    await context.files.remove(path);
    await context.notice('svc removed the policy.');
  },
});

export const policy = defineGroup<Context>({
  commands: [set, show, remove],
  examples: [
    { args: 'policy set agents.json', does: 'Follow the policy in a file' },
    { args: 'policy show', does: 'Show what svc may write' },
  ],
});

/** Reports names of resources that svc does not know. A rule with such a name allows no write to a known resource. */
async function reportUnknown({ catalog, notice }: Needs<'catalog' | 'notice'>, { allow, reads = [] }: Policy): Promise<void> {
  const resources = await catalog.all();
  const known = resources.map(({ noun, parent }) => (parent === undefined ? noun : `${parent.noun} ${noun}`));
  for (const name of new Set([...allow.map(({ resource }) => resource), ...reads])) {
    if (known.includes(name)) continue;
    const near = nearest(name, known);
    await notice(`svc knows no resource ${quote(name)}.${near === undefined ? '' : ` Did you mean ${near}?`}`);
  }
}
