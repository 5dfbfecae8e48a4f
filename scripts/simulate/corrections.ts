import type { Random } from '../../src/sandbox/seed/seeding.ts';
import type { Machine } from './machine.ts';
import type { Ended } from './process.ts';
import type { Typed } from './typing.ts';

/** A change of several time entries at once, with ids from standard input. */
interface Correction {
  readonly ids: readonly number[];
  /** The new minutes. `gone` for a delete. */
  readonly to: number | 'gone';
  readonly before: ReadonlyMap<number, number | 'gone'>;
  isDone: boolean;
}

/** The corrections of a machine. Each corrects entries of the organisation that nobody else changes. */
export interface Corrections {
  /** Returns the command of an open correction, or else of a new one. */
  next(hasPersonal: boolean): Typed;
  /** Returns the commands of the open corrections. */
  open(): Typed[];
  /** True if an open correction deletes entries. */
  readonly hasOpenDelete: boolean;
}

export function createCorrections({ service }: Machine, random: Random): Corrections {
  const corrections: Correction[] = [];
  const pool = service.live('worklogs').filter((row) => row['user_id'] === 1);
  const minutesOf = (id: number): number | 'gone' => {
    const row = service.live('worklogs').find((each) => each.id === id);
    return row === undefined ? 'gone' : Number(row['minutes']);
  };
  const isOpen = ({ isDone }: Correction) => !isDone;

  function create(hasPersonal: boolean): Correction {
    const ids = pool.splice(0, random.integer(2, 12)).map(({ id }) => id);
    const to = hasPersonal && random.chance(0.3) ? 'gone' : random.integer(1, 20) * 13;
    const made = { ids, to, before: new Map(ids.map((id) => [id, minutesOf(id)])), isDone: false } as const;
    corrections.push(made);
    return made;
  }

  const typing = (correction: Correction): Typed => ({
    argv: ['worklogs', ...(correction.to === 'gone' ? ['delete', '-', '--yes'] : ['update', '-', '--minutes', String(correction.to)])],
    stdin: correction.ids.join('\n'),
    judge: (ended) => judge(correction, ended),
  });

  /** Each entry must have its old or its new minutes; after a success, its new minutes. Returns one line per error. */
  function judge(correction: Correction, { code, stderr }: Ended): string[] {
    const { ids, to, before } = correction;
    correction.isDone ||= code === 0;
    return ids.flatMap((id) => {
      const now = minutesOf(id);
      const isRight = now === to || (!correction.isDone && now === before.get(id));
      return isRight ? [] : [`worklog ${id}: ${now} minutes, but ${to} are expected instead of ${before.get(id)}: exit ${code}: ${stderr}`];
    });
  }

  return {
    next(hasPersonal) {
      const open = corrections.find((each) => isOpen(each) && (each.to !== 'gone' || hasPersonal));
      return typing(open ?? create(hasPersonal));
    },
    open: () => corrections.filter(isOpen).map(typing),
    get hasOpenDelete() {
      return corrections.some((each) => isOpen(each) && each.to === 'gone');
    },
  };
}
