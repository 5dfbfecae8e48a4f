import { type JsonObject, type JsonValue, parseJson } from '../../values/json.ts';
import { quoted, recordTable } from '../sql-values.ts';
import { classOf, KEPT, keptJson, type Manner, type Outcome, type SummaryView, type ValueClass } from './manner.ts';
import type { Copy } from './open-copy.ts';

/** A record as it came; undefined where the copy has none of that id. */
export function recordIn(copy: Copy, noun: string, id: number): JsonObject | undefined {
  const table = copy.states.get(noun)?.table;
  if (table === undefined) return undefined;
  const [row] = copy.all<{ readonly record: string }>(`SELECT record FROM ${quoted(recordTable(table))} WHERE id = ?`, id);
  return row === undefined ? undefined : (parseJson(row.record) as JsonObject);
}

/** A record in its summary view; undefined where what becomes of one of its values was not seen. */
function summaryOf(record: JsonObject, view: SummaryView, whenFalse: Outcome | undefined): JsonObject | undefined {
  const shown: [string, JsonValue][] = [];
  for (const [name, value] of Object.entries(record)) {
    const outcome = outcomeOf(view[name], classOf(value), whenFalse);
    if (outcome === undefined) return undefined;
    if (outcome !== 'absent') shown.push([name, outcome === 'null' ? null : value]);
  }
  return Object.fromEntries(shown);
}

/**
 * A view shows a field or does not (an absent field was not asked for, null is no value), so one that was seen with a value is there
 * without one too. Only what is false is treated in another way by some.
 */
function outcomeOf(seen: SummaryView[string] | undefined, value: ValueClass, whenFalse: Outcome | undefined): Outcome | undefined {
  const known = seen?.[value];
  if (known !== undefined || seen === undefined) return known;
  const other = seen.other ?? seen.null;
  if (value === 'false') return other === 'same' ? whenFalse : other;
  return other ?? (seen.false === 'same' ? 'same' : undefined);
}

/** What becomes of false in a summary that has the field, where all that was seen agrees. */
function whenFalse(views: readonly (SummaryView | undefined)[]): Outcome | undefined {
  const found = new Set(
    views.flatMap((view) =>
      Object.values(view ?? {}).flatMap((seen) => (seen.other === 'same' && seen.false !== undefined ? [seen.false] : [])),
    ),
  );
  return found.size === 1 ? [...found][0] : undefined;
}

/** Shows records of a copy in their summary view. @returns undefined where that is not known. */
export function summaries(copy: Copy): (noun: string, record: JsonObject, manner?: Manner) => JsonObject | undefined {
  const manners = new Map<string, Manner | undefined>();
  const mannerOf = (noun: string) => {
    if (!manners.has(noun)) manners.set(noun, keptJson<Manner>(copy, KEPT.manner(copy.states.get(noun)?.path ?? `/${noun}`)));
    return manners.get(noun);
  };
  let false_: { readonly outcome: Outcome | undefined } | undefined;
  const ofFalse = () => {
    false_ ??= { outcome: whenFalse([...copy.states.keys()].map((noun) => mannerOf(noun)?.summary)) };
    return false_.outcome;
  };
  return (noun, record, manner = mannerOf(noun)) => {
    const view = manner?.summary;
    if (view === undefined) return undefined;
    return summaryOf(record, view, undefined) ?? summaryOf(record, view, ofFalse());
  };
}
