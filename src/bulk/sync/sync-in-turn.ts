import { TakenError, withHint } from '../../errors.ts';
import type { Needs } from '../../session/context.ts';
import { type JsonObject, jsonObjectIn, stringifyJson } from '../../values/json.ts';
import { isNamed, leftOut, topOf } from '../export/collections.ts';
import type { Place } from './place.ts';
import { CHILDREN, type Syncing } from './run.ts';
import { type SyncOptions, syncInto } from './sync-into.ts';
import type { Synced } from './synced.ts';

/** Milliseconds until svc checks again whether another svc process has finished. */
const LOOK_AGAIN = 1_000;

/**
 * Syncs like {@link syncInto}. In a team database, one svc process at a time syncs. Other processes wait, at most for `--max-wait`. If a
 * sync of the same resources began while svc waited, svc does not sync again. All times come from the clock of the database.
 *
 * @param maxAge milliseconds. svc also does not sync if the last complete sync began within this time. Default: 0.
 * @throws TakenError if another svc process syncs for longer than `--max-wait`.
 */
export async function syncInTurn(
  context: Needs<Syncing | 'host' | 'maxWaitMs' | 'notifyOnce'>,
  place: Place,
  nouns: readonly string[],
  options: SyncOptions,
  maxAge = 0,
): Promise<Synced> {
  if (place.turn === undefined) return syncInto(context, place, nouns, options);
  const end = context.clock.monotonic() + (await context.maxWaitMs());
  const wanted: JsonObject = {
    organisation: (await context.host()).name,
    user: (await context.account())?.user_id ?? null,
    resources: [...nouns],
    excluded: [...(await leftOut(context))],
    children: options.children,
    verify: options.verify === true,
  };
  let turn = await place.turn();
  const since = new Date(Date.parse(turn.now) - maxAge).toISOString().replace('Z', '000Z');
  const needed = maxAge === 0 ? turn.now : since;
  for (;;) {
    const last = jsonObjectIn(turn.last ?? '');
    const began = last !== undefined && covers(last, wanted) ? String(last['began']) : '';
    if (began > needed && began <= turn.now) {
      await context.notice(`Another sync of ${place.name} began at ${began.slice(0, 19)}Z and is complete, so svc did not sync again.`);
      return stored(turn.states, nouns);
    }
    let leader = turn.leader;
    if (leader === undefined)
      try {
        return await syncInto(context, place, nouns, {
          ...options,
          turn: { last: turn.last, done: stringifyJson({ ...wanted, began: turn.now }) },
        });
      } catch (error) {
        if (!(error instanceof TakenError)) throw error;
        leader = error;
      }
    if (context.clock.monotonic() >= end) throw withHint(leader, 'Wait longer with --max-wait, or read the stored rows with --database.');
    context.notifyOnce(`${leader.message} svc waits for the other svc.`);
    await context.clock.sleep(LOOK_AGAIN, context.signal);
    turn = await place.turn();
  }
}

/** Returns true if a complete sync did everything that the wanted sync would do. */
function covers(last: JsonObject, wanted: JsonObject): boolean {
  const same = (name: string) => stringifyJson(last[name] ?? null) === stringifyJson(wanted[name] ?? null);
  const [theirs, ours] = [last, wanted].map(({ resources }) => (Array.isArray(resources) ? resources : undefined));
  if (theirs === undefined || ours === undefined) return false;
  const rank = ({ children }: JsonObject) => (CHILDREN as readonly unknown[]).indexOf(children);
  return (
    same('organisation') &&
    (same('user') || last['user'] === null || wanted['user'] === null) &&
    same('excluded') &&
    (theirs.length === 0 || (ours.length > 0 && ours.every((noun) => theirs.includes(noun)))) &&
    rank(last) >= rank(wanted) &&
    (last['verify'] === true || wanted['verify'] === false)
  );
}

function stored(states: readonly Omit<Synced['tables'][number], 'put' | 'gone'>[], nouns: readonly string[]): Synced {
  const isWanted = (noun: string) => nouns.length === 0 || nouns.some((each) => isNamed(topOf(noun), each));
  const tables = states.filter(({ noun }) => isWanted(noun)).map((state) => ({ ...state, put: 0, gone: 0 }));
  return { tables, childLists: new Map(), leftOut: [], heldBack: { views: [], columns: [] }, units: 0 };
}
