import { createHash } from 'node:crypto';
import type { Random } from '../../src/sandbox/seed/seeding.ts';
import { HOME } from './disk.ts';
import {
  adding,
  contentOf,
  created,
  type Entry,
  type Import,
  importFile,
  importing,
  judgeAdded,
  judgeImported,
  judgeUpdates,
  recordOf,
  UNRECORDED,
  type Update,
  verdictOf,
} from './hours.ts';
import type { Machine } from './machine.ts';
import type { Ended } from './process.ts';
import { EXPORTED, type Export, exportInto, exporting, idsOf, judgeExported, judgeRows } from './reading.ts';

/** A command to run, and the check of its result. */
export interface Typed {
  readonly argv: readonly string[];
  readonly stdin?: string;
  /** Checks the result of the command. Returns one line per error. */
  judge(ended: Ended): readonly string[];
}

export interface PlannedEntry {
  readonly path: string;
  readonly entry: Entry;
}

/** The machines of a scenario, each with what its person did there. */
export interface Company {
  readonly people: PersonState[];
  /** The entries that a running command writes. No other machine changes these entries at the same time. */
  readonly busy: Set<Entry>;
  /** True if a day has passed. The service may no longer know the keys of the writes before. */
  hasDayPassed: boolean;
}

/** Everything that a person has done on a machine, and knows about it. */
export interface PersonState {
  readonly machine: Machine;
  readonly company: Company;
  readonly wrong: string[];
  readonly entries: Entry[];
  /** The entries of another machine that this machine has changed. */
  readonly foreign: Set<Entry>;
  readonly imports: Import[];
  readonly exports: Export[];
  readonly plans: PlannedEntry[];
  /** True if svc reported a sign-in, and nobody has signed out since. */
  signedIn: boolean;
  hasPersonal: boolean;
  /** The number of lost token refreshes at the time of the sign-in. */
  lostBefore: number;
  /**
   * True if the journal may contain unresolved writes although svc printed their results. The cause is a kill, a power cut or a full disk.
   */
  hasUnconfirmed: boolean;
}

export type Typing = ReturnType<typeof createTyping>;

/** Creates the commands that a person can run, each with a check of its result. */
export function createTyping(personState: PersonState) {
  const { machine, company, wrong, entries, imports, exports, plans } = personState;
  const { service, scenario, userKeychain } = machine;
  const { plot: random, disk } = scenario;
  let serial = 0;

  const others = () => company.people.flatMap((person) => (person.machine === machine ? [] : [person.machine]));

  function newEntry(): Entry {
    serial += 1;
    const entry: Entry = {
      text: `${machine.name}W${serial}`,
      state: 'not',
      isTold: false,
      key: undefined,
      isForOutbox: false,
      minutes: new Set([60]),
      isUnrecorded: false,
      change: undefined,
      updates: [],
      unseenBy: new Set(),
      isShared: false,
    };
    entries.push(entry);
    return entry;
  }

  const me = (): Typed => ({
    argv: ['me', '-o', 'json'],
    judge: ({ code, stdout }) => (code === 0 && !stdout.includes('"id"') ? ['me: exit 0 and nobody'] : []),
  });

  function add(entry: Entry): Typed {
    return { argv: adding(entry), judge: (ended) => judgeAdded(service, entry, ended) };
  }

  function addLater(entry: Entry): Typed {
    entry.isForOutbox = true;
    return {
      argv: adding(entry, '--later'),
      judge(ended) {
        const verdict = verdictOf(ended);
        entry.state = verdict === 'done' ? 'waiting' : verdict === 'not' ? 'not' : 'open';
        return [];
      },
    };
  }

  function plan(entry: Entry): Typed {
    const path = `${HOME}/${entry.text}.plan`;
    return {
      argv: adding(entry, '--plan', path),
      judge({ code }) {
        if (code === 0) plans.push({ path, entry });
        return created(service, entry.text) === 0 ? [] : [`${entry.text}: svc only planned the record, but it exists`];
      },
    };
  }

  function apply({ path, entry }: { readonly path: string; readonly entry: Entry }): Typed {
    const file = disk.files().get(path);
    if (file === undefined) wrong.push(`${path}: svc reported a plan, but the file does not exist`);
    return { argv: ['apply', path, `--yes=${digestOf(file ?? Buffer.from(''))}`], judge: (ended) => judgeAdded(service, entry, ended) };
  }

  function undo(entry: Entry): Typed {
    return {
      argv: ['undo', '--yes'],
      judge(ended) {
        const verdict = verdictOf(ended);
        const isThere = recordOf(service, entry.text) !== undefined;
        if (verdict === 'done') {
          entry.state = 'gone';
          if (entry.unseenBy.has(machine)) return [`${entry.text}: svc undid a record that somebody else had changed since`];
          return isThere ? [`${entry.text}: svc reported it as undone, but it exists`] : [];
        }
        if (verdict === 'not')
          return isThere
            ? []
            : [`${entry.text}: svc ended with ${ended.code}, reported nothing unconfirmed, but it is undone: ${ended.stderr}`];
        // The service refuses the undo of a record that somebody else has changed.
        entry.change = { to: 'gone', isTold: verdict === 'doubt' && !entry.isShared && !UNRECORDED.test(ended.stderr), by: machine };
        return [];
      },
    };
  }

  function update(entry: Entry): Typed {
    const record = recordOf(service, entry.text);
    const to = random.integer(1, 12) * 5;
    const isConditional = random.chance(0.3);
    if (!entries.includes(entry)) personState.foreign.add(entry);
    const update: Update = { by: machine, to, isConditional, ended: undefined };
    entry.updates.push(update);
    return {
      argv: ['worklogs', 'update', String(record?.id), '--minutes', String(to), ...(isConditional ? ['--if-unchanged'] : [])],
      judge(ended) {
        update.ended = ended;
        return entry.updates.every((each) => each.ended !== undefined) ? judgeUpdates(service, entry, machine, others()) : [];
      },
    };
  }

  function remove(entry: Entry): Typed {
    const record = recordOf(service, entry.text);
    if (!entries.includes(entry)) personState.foreign.add(entry);
    return {
      argv: ['worklogs', 'delete', String(record?.id), '--yes'],
      judge(ended) {
        const verdict = verdictOf(ended);
        const isThere = recordOf(service, entry.text) !== undefined;
        if (verdict === 'done') {
          entry.state = 'gone';
          return isThere ? [`${entry.text}: svc reported it as deleted, but it exists`] : [];
        }
        if (verdict === 'not')
          return isThere
            ? []
            : [`${entry.text}: svc ended with ${ended.code}, reported nothing unconfirmed, and it is deleted: ${ended.stderr}`];
        entry.change = { to: 'gone', isTold: verdict === 'doubt' && !UNRECORDED.test(ended.stderr), by: machine };
        return [];
      },
    };
  }

  function importHours(): Typed {
    let file = imports.find(({ state }) => state !== 'done');
    if (file === undefined) {
      file = importFile(machine.name, imports.length, random.integer(1, 12));
      disk.put(file.path, contentOf(file));
      imports.push(file);
    }
    const given = file;
    return { argv: importing(given), judge: (ended) => judgeImported(service, given, ended) };
  }

  /** Corrects a row of an imported file, and the rows equal to it. The next import is of this file. */
  function correctImport(by: Random): void {
    const file = imports.findLast(({ state }) => state === 'done');
    if (file === undefined) return;
    const row = by.integer(0, file.texts.length - 1);
    const minutes = by.integer(7, 12) * 5;
    for (const [at, text] of file.texts.entries()) if (text === file.texts[row]) file.minutes[at] = minutes;
    Object.assign(file, { state: 'begun', isCorrected: true });
    disk.put(file.path, contentOf(file));
  }

  function exportAll(): Typed {
    const last = exports.at(-1);
    const isNew = last === undefined || (last.isDone && random.chance(0.4));
    const into = isNew ? exportInto(exports.length) : last;
    if (isNew) exports.push(into);
    into.before ??= new Map(EXPORTED.map((noun) => [noun, idsOf(service, noun)]));
    return { argv: exporting(into), judge: (ended) => judgeExported(service, disk.files(), into, ended) };
  }

  /** After a read of the time entries, svc may know all their changes. */
  function readAll(): void {
    for (const person of company.people) for (const entry of person.entries) entry.unseenBy.delete(machine);
  }

  function list(): Typed {
    const noun = random.pick(['worklogs', 'worklogs', 'users', 'work-items', 'absences', 'labels']);
    const before = idsOf(service, noun);
    if (noun === 'worklogs') readAll();
    return {
      argv: [
        noun,
        'list',
        '-o',
        'ndjson',
        '--per-page',
        String(noun === 'worklogs' ? random.pick([40, 100]) : random.pick([5, 10, 25])),
        ...(random.chance(0.3) ? ['--parallel', '1'] : []),
      ],
      judge: ({ code, stdout }) => (code === 0 ? judgeRows(service, noun, before, stdout).map((each) => `list ${each}`) : []),
    };
  }

  function get(entry: Entry): Typed {
    const id = recordOf(service, entry.text)?.id;
    entry.unseenBy.delete(machine);
    return {
      argv: ['worklogs', 'get', String(id), '-o', 'json'],
      judge: ({ code, stdout }) => {
        if (code !== 0) return [];
        const { minutes } = JSON.parse(stdout) as { minutes: number };
        return entry.minutes.has(minutes) ? [] : [`get ${entry.text}: ${minutes} minutes were never written`];
      },
    };
  }

  function sendOutbox(): Typed {
    // `svc outbox send` may also resolve these writes, so nobody repeats their commands.
    const own = entries.filter(({ state, change }) => state === 'waiting' || state === 'open' || change?.by === machine);
    const open = new Set([...own, ...[...personState.foreign].filter(({ change }) => change?.by === machine)]);
    for (const entry of open) if (entry.key !== undefined) open.delete(entry);
    for (const entry of open) entry.isForOutbox = true;
    return {
      argv: ['outbox', 'send', '--no-check'],
      judge: ({ code }) => (code === 0 ? [...open].flatMap(resolved) : []),
    };
  }

  function resolved(entry: Entry): string[] {
    const count = created(service, entry.text);
    if (entry.state === 'waiting' || entry.state === 'open') {
      const mustBe = entry.state === 'waiting' || entry.isTold;
      entry.state = count === 0 ? 'not' : 'done';
      entry.isForOutbox = false;
      if (count > 1 || (count === 0 && mustBe)) return [`${entry.text}: the outbox is sent, but ${count} records exist`];
    }
    const { change } = entry;
    if (change?.by !== machine) return [];
    entry.change = undefined;
    const now = recordOf(service, entry.text)?.minutes ?? 'gone';
    if (now === 'gone') entry.state = 'gone';
    else entry.minutes = new Set([now]);
    return change.isTold && now !== change.to ? [`${entry.text}: the outbox is sent, and it is ${now}, not ${change.to}`] : [];
  }

  function login(): Typed {
    const host = machine.env['SVC_HOST'] ?? '';
    return {
      argv: ['login', host],
      judge({ code }) {
        if (code === 0) {
          personState.signedIn = true;
          personState.lostBefore = machine.lostRotations;
        }
        return code === 0 && service.sandboxState.apps.connections.length === 0 ? ['login: exit 0 and no connection'] : [];
      },
    };
  }

  function logout(): Typed {
    return {
      argv: ['logout'],
      judge({ code }) {
        personState.signedIn = false;
        personState.hasPersonal = false;
        const stored = [...userKeychain.entries.values(), ...[...disk.files().values()].map(String)].join('\n');
        const left = code === 0 ? [...service.secrets()].find((secret) => stored.includes(secret)) : undefined;
        return left === undefined ? [] : [`logout: exit 0, and a token is still stored: ${left.slice(0, 8)}…`];
      },
    };
  }

  function setToken(): Typed {
    const token = service.sandboxState.tokens.all[0]?.value ?? '';
    return {
      argv: ['token', 'set'],
      stdin: token,
      judge({ code }) {
        if (code !== 0) return [];
        personState.hasPersonal = true;
        const stored = [...userKeychain.entries.values(), ...[...disk.files().values()].map(String)].join('\n');
        return stored.includes(token) ? [] : ['token set: exit 0, and it is not kept'];
      },
    };
  }

  return {
    newEntry,
    me,
    add,
    addLater,
    plan,
    apply,
    undo,
    update,
    remove,
    importHours,
    correctImport,
    exportAll,
    list,
    get,
    sendOutbox,
    login,
    logout,
    setToken,
    readAll,
  };
}

/** Returns the SHA-256 digest of a plan, by which a person approves it. */
const digestOf = (content: Buffer): string => createHash('sha256').update(content).digest('hex');
