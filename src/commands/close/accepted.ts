import { UsageError } from '../../errors.ts';
import type { Finding, NotJudged } from '../../time/checks/finding.ts';
import { quote } from '../../values/text.ts';
import { notJudgedOf } from '../check/check.ts';
import type { Checked } from '../check/judge-all.ts';

/**
 * Returns the findings, and the checks that svc could not make, by the name for `--accept`: `duplicate:5902`, `missing-hours:5:2026-10-05`,
 * `unknown:not-billed`. A repeated name ends in `#2`, `#3` and so on.
 */
export function namedFindings(checked: Checked): ReadonlyMap<string, Finding | NotJudged> {
  const named = new Map<string, Finding | NotJudged>();
  for (const of of [...checked.findings, ...notJudgedOf(checked)]) {
    const hasId = 'ids' in of && of.kind !== 'missing-hours' && of.ids.length > 0;
    const what = 'kinds' in of ? ['unknown', of.kinds[0], of.userId] : hasId ? [of.kind, of.ids[0]] : [of.kind, of.userId, of.date];
    const name = what.filter((part) => part !== null).join(':');
    let unique = name;
    for (let count = 2; named.has(unique); count += 1) unique = `${name}#${count}`;
    named.set(unique, of);
  }
  return named;
}

/**
 * Reads the values of `--accept`: a name, `=` and a reason.
 *
 * @throws UsageError for any other value, for a name without a finding, and for a repeated name.
 */
export function readReasons(values: readonly string[], findings: ReadonlyMap<string, unknown>): ReadonlyMap<string, string> {
  const reasons = new Map<string, string>();
  for (const value of values) {
    const [, name = '', reason = ''] = /^\s*([^=]+?)\s*=\s*(.*?)\s*$/s.exec(value) ?? [];
    const hint = 'Write a finding once, with = and a reason: --accept "missing-hours:5:2026-10-05=on the train"';
    if (reason === '' || reasons.has(name))
      throw new UsageError(`--accept: ${quote(value)} has no reason, or repeats a finding.`, { hint });
    if (!findings.has(name))
      throw new UsageError(`--accept: svc check does not find ${quote(name)}.`, {
        hint: `The findings are: ${[...findings.keys()].join(', ') || 'nothing'}`,
      });
    reasons.set(name, reason);
  }
  return reasons;
}
