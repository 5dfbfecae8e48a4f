import { createHash } from 'node:crypto';
import { HOME } from './disk.ts';
import {
  adding,
  created,
  type Entry,
  type Import,
  importFile,
  judgeAdded,
  judgeImported,
  recordOf,
  UNRECORDED,
  verdictOf,
} from './hours.ts';
import type { Ended, Machine } from './process.ts';
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

/** Everything that a person has done in a scenario, and knows about it. */
export interface PersonState {
  readonly machine: Machine;
  readonly wrong: string[];
  readonly entries: Entry[];
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
  const { machine, wrong, entries, imports, exports, plans } = personState;
  const { service, scenario, userKeychain } = machine;
  const { plot: random, disk } = scenario;
  let serial = 0;

  function newEntry(): Entry {
    serial += 1;
    const entry: Entry = {
      text: `W${serial}`,
      state: 'not',
      isTold: false,
      key: undefined,
      isForOutbox: false,
      minutes: new Set([60]),
      isUnrecorded: false,
      change: undefined,
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
          return isThere ? [`${entry.text}: svc reported it as undone, but it exists`] : [];
        }
        if (verdict === 'not')
          return isThere
            ? []
            : [`${entry.text}: svc ended with ${ended.code}, reported nothing unconfirmed, but it is undone: ${ended.stderr}`];
        entry.change = { to: 'gone', isTold: verdict === 'doubt' && !UNRECORDED.test(ended.stderr) };
        return [];
      },
    };
  }

  function update(entry: Entry): Typed {
    const record = recordOf(service, entry.text);
    const to = random.integer(1, 12) * 5;
    const isConditional = random.chance(0.3);
    return {
      argv: ['worklogs', 'update', String(record?.id), '--minutes', String(to), ...(isConditional ? ['--if-unchanged'] : [])],
      judge(ended) {
        const verdict = verdictOf(ended);
        const now = recordOf(service, entry.text)?.minutes;
        if (verdict === 'done') {
          entry.minutes = new Set([to]);
          entry.isUnrecorded = UNRECORDED.test(ended.stderr);
          return now === to ? [] : [`${entry.text}: svc reported a change to ${to}, but it has ${now}`];
        }
        if (verdict === 'not')
          return entry.minutes.has(now ?? 0)
            ? []
            : [`${entry.text}: svc ended with ${ended.code}, reported nothing unconfirmed, and it is ${now}: ${ended.stderr}`];
        entry.minutes.add(to);
        // The journal has an older version of the record than the service, so the service refuses the change.
        const isRefused = isConditional && entry.isUnrecorded;
        entry.change = { to, isTold: verdict === 'doubt' && !isRefused && !UNRECORDED.test(ended.stderr) };
        return [];
      },
    };
  }

  function remove(entry: Entry): Typed {
    const record = recordOf(service, entry.text);
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
        entry.change = { to: 'gone', isTold: verdict === 'doubt' && !UNRECORDED.test(ended.stderr) };
        return [];
      },
    };
  }

  function importHours(): Typed {
    let file = imports.find(({ state }) => state !== 'done');
    if (file === undefined) {
      const made = importFile(imports.length, random.integer(1, 12));
      disk.put(made.path, made.content);
      imports.push(made);
      file = made;
    }
    const given = file;
    return { argv: ['worklogs', 'import', given.path], judge: (ended) => judgeImported(service, given, ended) };
  }

  function exportAll(): Typed {
    const last = exports.at(-1);
    const isNew = last === undefined || (last.isDone && random.chance(0.4));
    const into = isNew ? exportInto(exports.length) : last;
    if (isNew) exports.push(into);
    into.before ??= new Map(EXPORTED.map((noun) => [noun, idsOf(service, noun)]));
    return { argv: exporting(into), judge: (ended) => judgeExported(service, disk.files(), into, ended) };
  }

  function list(): Typed {
    const noun = random.pick(['worklogs', 'worklogs', 'users', 'work-items', 'absences', 'labels']);
    const before = idsOf(service, noun);
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
    const open = new Set(entries.filter(({ state, change }) => state === 'waiting' || state === 'open' || change !== undefined));
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
    if (change === undefined) return [];
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
          personState.lostBefore = service.lostRotations;
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
    exportAll,
    list,
    get,
    sendOutbox,
    login,
    logout,
    setToken,
  };
}

/** Returns the SHA-256 digest of a plan, by which a person approves it. */
const digestOf = (content: Buffer): string => createHash('sha256').update(content).digest('hex');
