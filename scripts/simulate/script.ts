import type { Random } from '../../src/sandbox/seed/seeding.ts';
import type { Colleague } from './colleague.ts';
import { createCorrections } from './corrections.ts';
import { HOME } from './disk.ts';
import { judgeExit } from './exit-codes.ts';
import { created, type Entry, importing, judgeImported, recordOf, timesIn, UNRECORDED, type Update } from './hours.ts';
import { end } from './life.ts';
import {
  type Copy,
  comparingSplit,
  createFeed,
  judgeCurrentDatabase,
  judgeDatabase,
  judgeOffline,
  listingOffline,
  NAMED,
  OWN,
  readingStored,
  splitting,
  syncing,
} from './local-database.ts';
import { isStored, type Machine } from './machine.ts';
import { type Ended, startProcess } from './process.ts';
import { EXPORTED, exporting, idsOf, judgeCurrent, judgeExported } from './reading.ts';
import type { ScenarioNetwork } from './scenario-network.ts';
import { type Company, createTyping, type PersonState, type Typed } from './typing.ts';

/** The commands on a machine, and the checks after them. */
export interface Script {
  readonly wrong: string[];
  commands: number;
  /** Plays commands while failures occur. */
  playScenes(): Promise<void>;
  /** Ends all failures, and resolves everything that is open with the commands that svc prints. */
  recover(): Promise<void>;
  /** Checks what must be true after the whole scenario. */
  inspect(): void;
}

export interface ScriptOptions {
  readonly network: ScenarioNetwork;
  /** True if the environment has a personal access token. */
  readonly isToken: boolean;
  /** A local database, and the times of its updates. Undefined in a scenario without one. */
  readonly copies?: { readonly copy: Copy; readonly random: Random } | undefined;
  /** Decides when several records are corrected at once. Undefined if none are. */
  readonly many?: Random | undefined;
  readonly company: Company;
  /** Decides what happens besides the commands: another person writes, days pass, a file is corrected. Undefined if nothing does. */
  readonly more?: { readonly random: Random; readonly colleague: Colleague } | undefined;
}

/** A write as `svc outbox -o json` prints it. */
interface OpenWrite {
  readonly number: number;
  readonly path: string;
  readonly lapsed: boolean;
  readonly body?: { readonly description?: string; readonly minutes?: number };
}

/** The longest time that a command may take, in simulated milliseconds. */
const BOUND = 30 * 60_000;
const MINUTE = 60_000;

/** The numbers of steps within which a command is killed. A sync has more steps, one per row. */
const STEPS = [20, 60, 150];
const STEPS_OF_SYNC = [60, 300, 1000];

/** Creates the script of a machine. */
export function createScript(machine: Machine, { network, isToken, copies, many, company, more }: ScriptOptions): Script {
  const { service, scenario, userKeychain } = machine;
  const { plot: random, timeline, disk } = scenario;
  const wrong: string[] = [];
  const heard: string[] = [];
  const personState: PersonState = {
    machine,
    company,
    wrong,
    entries: [],
    foreign: new Set(),
    imports: [],
    exports: [],
    plans: [],
    signedIn: false,
    hasPersonal: isToken,
    lostBefore: 0,
    hasUnconfirmed: false,
  };
  company.people.push(personState);
  const { entries, imports, exports, plans } = personState;
  const typing = createTyping(personState);
  const { add, addLater, apply, exportAll, get, importHours, list, login, logout, me, newEntry, plan } = typing;
  const { readAll, remove, sendOutbox, setToken, undo, update } = typing;
  /** The changes that `svc changes` printed. Only a file that the person named survives a sign-out. */
  const feed = copies?.copy === NAMED ? createFeed(disk, NAMED) : undefined;
  const corrections = many && createCorrections(machine, many);
  /** True if the clock was set back. Writes from before are then in the future, so svc asks a person about them. */
  let isTurnedBack = false;
  /** True if svc reported that it could not record a write. An earlier write of the same record may then still be in the journal. */
  let hasUnrecorded = false;
  /** The entry that `svc undo` would undo. */
  let lastWritten: Entry | undefined;
  /** True if there was a power cut after the last write. */
  let hasLostLast = false;
  let isRecovered = false;
  let [wasLimited, wasFrozen, hadOthers] = [false, false, false];
  /** True if a sign-in or sign-out runs, or has failed. */
  let isSignInOpen = false;
  /** True if the service or a kill has ended the sign-in. */
  const isSignInLost = () => machine.lostRotations > personState.lostBefore || machine.lostPairs > 0;
  const script: Script = { wrong, commands: 0, playScenes, recover, inspect };

  async function type(typed: Typed, trouble: { killAt?: number; interruptAfter?: number; delay?: number } = {}): Promise<Ended> {
    if (trouble.delay !== undefined) await pause(trouble.delay);
    const { killAt, interruptAfter } = trouble;
    script.commands += 1;
    const isSignedIn = isToken || (personState.signedIn && !isSignInLost() && !isSignInOpen);
    const { hasPersonal } = personState;
    const hasOpen = entries.some(({ state, change }) => state === 'open' || state === 'waiting' || change !== undefined);
    const ended = await startProcess(machine, {
      name: `${machine.name}p${script.commands}`,
      argv: typed.argv,
      stdin: typed.stdin,
      killAt,
      interruptAfter,
    });
    heard.push(ended.stdout, ended.stderr);
    const { code, stderr, began } = ended;
    const changesSignIn = typed.argv[0] === 'login' || typed.argv[0] === 'logout';
    if (changesSignIn) isSignInOpen = code !== 0 || typed.argv[0] === 'logout';
    wasLimited ||= ended.causes.has(429) || ended.causes.has('limited');
    hadOthers ||= machine.running.size > 0;
    hasUnrecorded ||= UNRECORDED.test(stderr);
    personState.hasUnconfirmed ||= /stays? open/.test(stderr) || (code === undefined && ended.stdout !== '');
    // svc could store the new tokens neither in the keychain nor on disk, and has reported this.
    const isForKeychain = machine.env['SVC_TOKEN_STORE'] === 'keychain' && stderr.includes('could not store the new tokens');
    if (isForKeychain) machine.lostPairs += 1;
    const shown = typed.argv.join(' ');
    wrong.push(
      ...judgeExit(typed.argv, ended, {
        isSignedIn: isToken || (isSignedIn && !isSignInLost()),
        hasPersonal,
        isFrozen: wasFrozen,
        isInterrupted: interruptAfter !== undefined,
        wasLimited,
        hasOthers:
          hadOthers ||
          hasOpen ||
          (corrections?.open().length ?? 0) > 0 ||
          personState.hasUnconfirmed ||
          imports.some(({ state }) => state === 'begun'),
      }),
    );
    if (ended.ended - began > BOUND) wrong.push(`svc ${shown}: took ${Math.round((ended.ended - began) / 1000)} s`);
    const isForDisk = /disk is full|ENOSPC|no space left/.test(stderr);
    // Two earlier processes wait for a service that does not answer. They hold the lock of the sign-in for longer than svc waits.
    const isForLock = machine.running.size > 0 && stderr.includes('is changing the sign-in of');
    const isForDatabase = hadOthers && /Another svc .* updates /.test(stderr);
    if (code === -1 || (code === 1 && !isForDisk && !isForKeychain && !isForLock && !isForDatabase))
      wrong.push(`svc ${shown}: exit ${code}: ${stderr}`);
    return ended;
  }

  const pause = (ms: number) => new Promise<void>((resolve) => void timeline.after(ms, resolve));
  const complain = (complaints: readonly string[]) => void wrong.push(...complaints);

  /** Chooses commands that run at the same time. No two of them change the same record. */
  function draw(taken: Set<object>): Typed {
    const free = (): Entry | undefined => {
      const isOfAll = more?.random.chance(0.4) === true;
      const known = isOfAll ? company.people.flatMap((person) => person.entries) : entries;
      const there = known.filter((entry) => isFree(entry) && !taken.has(entry));
      const found = there.length > 0 ? random.pick(there) : undefined;
      if (found !== undefined) {
        taken.add(found);
        company.busy.add(found);
      }
      return found;
    };
    /** Returns an entry to update. In some scenarios, two commands update the same entry. */
    const toUpdate = (): Entry | undefined => {
      const updated = more?.random.chance(0.5) ? [...company.busy].find(({ updates }) => updates.some(isOwn)) : undefined;
      return updated ?? free();
    };
    const isOwn = ({ by, ended }: Update) => by === machine && ended === undefined;
    const again = entries.find(
      (entry) =>
        entry.state === 'open' &&
        !entry.isForOutbox &&
        !hasOldKey(entry) &&
        !taken.has(entry) &&
        !plans.some((plan) => plan.entry === entry),
    );
    const kind = random.integer(0, 99);
    // A command that fails immediately, for example on a full disk, is repeated immediately.
    if (kind < (disk.isFull ? 60 : 12) && again !== undefined && !taken.has(entries)) {
      taken.add(again);
      return add(again);
    }
    if (kind < 32) return add(newEntry());
    if (kind < 38) return addLater(newEntry());
    if (kind < 48) {
      const entry = toUpdate();
      if (entry !== undefined) return update(entry);
    }
    if (kind < 53 && personState.hasPersonal) {
      const entry = free();
      if (entry !== undefined) return remove(entry);
    }
    if (kind < 59 && !taken.has(imports)) {
      taken.add(imports);
      return importHours();
    }
    if (kind < 65 && !taken.has(exports)) {
      taken.add(exports);
      return exportAll();
    }
    if (kind < 69) return plan(newEntry());
    const planned = plans.find(({ entry }) => (entry.state === 'not' || entry.state === 'open') && !taken.has(entry));
    if (kind < 72 && planned !== undefined && !taken.has(entries)) {
      taken.add(planned.entry);
      return apply(planned);
    }
    if (
      kind < 76 &&
      !taken.has(entries) &&
      ![...taken].some((each) => entries.includes(each as Entry) && (each as Entry).state === 'open')
    ) {
      taken.add(entries);
      return sendOutbox();
    }
    if (kind < 82) return copies?.copy === OWN ? readingStored(service, copies.random) : list();
    if (kind < 85) {
      const entry = free();
      if (entry !== undefined) return get(entry);
    }
    if (kind < 86) {
      readAll();
      return { argv: ['week', '2027-03-01', '-o', 'json'], judge: () => [] };
    }
    if (kind < 88) return { argv: ['outbox', '-o', 'json'], judge: () => [] };
    if (kind < 91 && !isToken && !taken.has(userKeychain)) {
      taken.add(userKeychain);
      return random.chance(0.6) ? login() : random.chance(0.5) ? logout() : setToken();
    }
    if (kind < 94 && !isToken && !taken.has(userKeychain)) {
      taken.add(userKeychain);
      return { argv: ['auth', 'refresh'], judge: () => [] };
    }
    return me();
  }

  /** Returns true if svc printed a key for the entry, and a day has passed. svc says that the person must then look for the record. */
  const hasOldKey = ({ key }: Entry) => key !== undefined && company.hasDayPassed;

  /** Returns true if a command can change the record of an entry, and nobody else is changing it. */
  function isFree(entry: Entry): boolean {
    const isSettled = entry.state === 'done' && entry.change === undefined && !company.busy.has(entry);
    return isSettled && recordOf(service, entry.text) !== undefined;
  }

  /** Returns a sync. Some read every child record, or compare every record. */
  function sync({ copy, random: chances }: NonNullable<typeof copies>): Typed {
    const flags = copy.children.size > 0 ? chances.pick([[], [], ['--children'], ['--children', '--verify']]) : [];
    return syncing(copy, ...flags);
  }

  /** Plays some commands at the same time, while failures occur. */
  async function scene(): Promise<void> {
    const taken = new Set<object>();
    const count = random.pick([1, 1, 1, 2, 2, 3, 4]);
    network.storm = random.pick([0, 0, 0.05, 0.2, 0.5, 1]);
    userKeychain.isFrozen = random.chance(0.04);
    wasFrozen = userKeychain.isFrozen;
    disk.isFull = random.chance(0.08);
    if (random.chance(0.1)) setClock(random.integer(-90, 90) * MINUTE);
    const written = lastWritten !== undefined && isFree(lastWritten) ? lastWritten : undefined;
    const undone = count === 1 && random.chance(0.3) ? written : undefined;
    lastWritten = undefined;
    hasLostLast = false;
    const typed = undone === undefined ? Array.from({ length: count }, () => draw(taken)) : [undo(undone)];
    if (undone !== undefined) {
      taken.add(undone);
      company.busy.add(undone);
    }
    if (copies?.random.chance(0.5)) typed.push(feed !== undefined && more?.random.chance(0.5) ? feed.read() : sync(copies));
    const isCorrecting = corrections !== undefined && many?.chance(0.5) === true;
    if (isCorrecting) typed.push(corrections.next(personState.hasPersonal));
    if (feed !== undefined && many?.chance(0.5)) typed.push(splitting(disk, NAMED));
    const isOutbox = taken.has(entries);
    isSignInOpen ||= typed.some(({ argv: [name] }) => name === 'login' || name === 'logout');
    let isOver = false;
    const powerCut = random.chance(0.06);
    const all = typed.map(async (one) => {
      const killAt = random.chance(0.25) ? random.integer(1, random.pick(one.argv[0] === 'sync' ? STEPS_OF_SYNC : STEPS)) : undefined;
      const interruptAfter = random.chance(0.05) ? 1500 * random.next() : undefined;
      return type(one, {
        delay: typed.length > 1 ? 300 * random.next() : 0,
        ...(killAt !== undefined && { killAt }),
        ...(interruptAfter !== undefined && { interruptAfter }),
      });
    });
    if (powerCut) void pause(1000 * random.next()).then(() => isOver || cutPower());
    if (more?.random.chance(0.6))
      for (const at of [1, 2, 3])
        void pause(at * 400 * more.random.next()).then(() =>
          isOver ? undefined : copies?.copy === OWN ? more.colleague.discuss() : more.colleague.write(),
        );
    if (random.chance(0.1)) {
      void pause(800 * random.next()).then(() => {
        if (isOver) return;
        userKeychain.isFrozen = random.chance(0.3);
        wasFrozen ||= userKeychain.isFrozen;
        disk.isFull = random.chance(0.5);
      });
    }
    const ends = await Promise.all(all);
    isOver = true;
    disk.isFull = false;
    userKeychain.isFrozen = false;
    for (const [index, one] of typed.entries()) {
      const ended = ends[index];
      if (ended !== undefined) complain(one.judge(ended).map((each) => `svc ${one.argv.join(' ')}: ${each}`));
    }
    complain(copies === undefined ? [] : judgeDatabase(service, disk, copies.copy));
    feed?.begin();
    const [only] = ends;
    // The journal has a repeated write at its first time, so svc treats a later write as the last one.
    if (
      count === 1 &&
      !isCorrecting &&
      !hasLostLast &&
      only?.code === 0 &&
      !/journal|You sent the same write/i.test(only.stderr) &&
      typed[0]?.argv[1] === 'add'
    )
      lastWritten = entries.find(({ text, state }) => state === 'done' && typed[0]?.argv.includes(text));
    if (isOutbox) for (const entry of entries) if (entry.state === 'open' && entry.key === undefined) entry.isForOutbox = true;
    for (const each of taken) company.busy.delete(each as Entry);
    await meanwhile();
    await pause(random.pick([100, 5_000, 70_000, 70_000, 40 * MINUTE, 62 * MINUTE]));
  }

  /** Plays what happens between two scenes: another person changes records, the person corrects a file, days pass. */
  async function meanwhile(): Promise<void> {
    if (more === undefined) return;
    const { random: chances, colleague } = more;
    // The times of records are whole seconds, so svc cannot see the order of two changes within a second.
    await pause(2_000);
    for (const entry of entries) {
      if (!isFree(entry) || !chances.chance(0.2)) continue;
      company.busy.add(entry);
      const minutes = await colleague.change(entry);
      company.busy.delete(entry);
      if (minutes === undefined) continue;
      entry.minutes = new Set([minutes]);
      for (const person of company.people) entry.unseenBy.add(person.machine);
      entry.isShared = true;
    }
    if (chances.chance(0.3)) typing.correctImport(chances);
    if (!chances.chance(0.15)) return;
    company.hasDayPassed = true;
    // A wrong clock may shorten a pause by three hours, for svc.
    await pause(chances.pick([28, 72]) * 60 * MINUTE);
  }

  function setClock(offset: number): void {
    if (offset < scenario.clockOffset) isTurnedBack = true;
    scenario.clockOffset = offset;
    scenario.trace('world', `the clock is wrong by ${offset / MINUTE} minutes`);
  }

  function cutPower(): void {
    scenario.trace('world', 'power cut');
    personState.hasUnconfirmed = true;
    for (const life of [...machine.running]) end(life);
    disk.cutPower(scenario.random);
    // The record of success was not flushed. svc may therefore treat another write as the last one.
    hasLostLast = true;
    if (machine.hasLoosePair && !isStored(machine)) machine.lostPairs += 1;
    machine.hasLoosePair = false;
  }

  async function undisturbed(typed: Typed, isWanted = true): Promise<Ended> {
    const ended = await type(typed);
    complain(typed.judge(ended));
    if (isWanted && ended.code !== 0)
      wrong.push(`svc ${typed.argv.join(' ')}: exit ${ended.code} in a scenario without failures: ${ended.stderr}`);
    return ended;
  }

  async function playScenes(): Promise<void> {
    if (!isToken) {
      await undisturbed(login());
      if (random.chance(0.5)) await undisturbed(setToken());
    }
    const scenes = random.integer(1, 5);
    for (let count = 0; count < scenes && wrong.length === 0; count++) await scene();
    network.storm = 0;
  }

  async function recover(): Promise<void> {
    network.storm = 0;
    setClock(0);
    // All late requests have arrived, and every rate limit is full again.
    await pause(5 * MINUTE);
    if (!isToken) await checkSignIn();
    // A delete needs a personal access token, and svc says so.
    const written = [...entries, ...personState.foreign];
    const isDeleteOpen = written.some(({ state, change }) => change?.to === 'gone' || (personState.hasUnconfirmed && state === 'gone'));
    if (!personState.hasPersonal && (isDeleteOpen || corrections?.hasOpenDelete)) await undisturbed(setToken());
    for (const entry of entries)
      if (entry.state === 'unseen' || (entry.state === 'open' && hasOldKey(entry)))
        Object.assign(entry, { state: created(service, entry.text) === 0 ? 'not' : 'done', key: undefined });
    const isLapsed = isTurnedBack || company.hasDayPassed;
    if (isLapsed) await resolveByHand();
    const isPlanned = (entry: Entry) => plans.some((each) => each.entry === entry);
    for (const entry of entries)
      if (entry.state === 'open' && !isPlanned(entry) && (!entry.isForOutbox || entry.key !== undefined)) await undisturbed(add(entry));
    for (const file of imports) {
      if (file.state === 'done') continue;
      const argv = [...importing(file), ...(isLapsed ? ['--check-existing'] : [])];
      const typed: Typed = { argv, judge: (ended) => judgeImported(service, file, ended) };
      // svc corrects no row whose earlier write is unconfirmed. The person first sends the outbox, as svc says.
      if ((await undisturbed(typed, !file.isCorrected)).code === 0) continue;
      await dropOvertaken(await undisturbed(sendOutbox(), false));
      await undisturbed(typed);
    }
    for (const planned of plans) if (planned.entry.state === 'not' || planned.entry.state === 'open') await undisturbed(apply(planned));
    // A refusal resolves a write whose record has changed since. The person drops a write that svc does not send over a newer change.
    const sent = await undisturbed(sendOutbox(), !hasUnrecorded && more === undefined);
    if (sent.code !== 0) {
      await dropOvertaken(sent);
      await undisturbed(sendOutbox());
    }
    for (const typed of corrections?.open() ?? []) await undisturbed(typed);
    for (const made of exports) {
      // An export that began earlier resumes in its original form.
      const isFresh = made.before === undefined;
      const isComplete = !made.isDone;
      made.before ??= new Map(EXPORTED.map((noun) => [noun, idsOf(service, noun)]));
      const ended = await undisturbed({ argv: exporting(made), judge: (each) => judgeExported(service, disk.files(), made, each) });
      if (ended.code === 0 && isFresh) complain(await judgeCurrent(service, disk.files(), made, isComplete));
    }
    if (copies !== undefined) {
      const { copy } = copies;
      await undisturbed(syncing(copy, ...(copy.children.size > 0 ? ['--children'] : [])));
      complain([...judgeDatabase(service, disk, copy), ...(await judgeCurrentDatabase(service, disk, copy))]);
      for (const noun of copy === OWN ? copy.nouns : []) {
        const listed = await undisturbed({ argv: listingOffline(noun), judge: () => [] });
        complain(await judgeOffline(service, noun, listed));
      }
      if (feed !== undefined && many !== undefined) {
        await undisturbed(splitting(disk, NAMED));
        await undisturbed(comparingSplit(disk, NAMED));
      }
      if (feed?.hasBegun) {
        await undisturbed(feed.read());
        complain(feed.judgeComplete());
      }
    }
    isRecovered = true;
  }

  /** Drops the updates that svc did not send over newer changes. */
  async function dropOvertaken({ stderr }: Ended): Promise<void> {
    const overtaken = new Set(
      [...stderr.matchAll(/record of entry (\d+) has changed since svc first sent/g)].map(([, number]) => Number(number)),
    );
    for (const write of overtaken.size === 0 ? [] : await readOutbox()) if (overtaken.has(write.number)) await drop(write);
  }

  async function readOutbox(): Promise<readonly OpenWrite[]> {
    const { stdout } = await type({ argv: ['outbox', '-o', 'json'], judge: () => [] });
    return JSON.parse(stdout) as readonly OpenWrite[];
  }

  /** Drops a write. The person then no longer expects the change of an update. */
  async function drop({ number, path }: OpenWrite): Promise<void> {
    await undisturbed({ argv: ['outbox', 'drop', String(number)], judge: () => [] });
    for (const entry of [...entries, ...personState.foreign])
      if (entry.change?.by === machine && path === `/worklogs/${recordOf(service, entry.text)?.id}`)
        entry.change = { ...entry.change, isTold: false };
  }

  /** Resolves writes whose time is wrong. svc searches for their records. If there is no record, the person drops the write. */
  async function resolveByHand(): Promise<void> {
    const open = [...entries];
    const sent = await type(sendOutbox());
    await dropOvertaken(sent);
    for (const write of await readOutbox()) {
      const { number, lapsed, body } = write;
      const text = body?.description ?? '';
      if (!lapsed) continue;
      const record = recordOf(service, text);
      const isThere = record !== undefined;
      // A record that has changed since does not match the write. Of equal rows, perhaps only another one has a record.
      const wanted = imports.find(({ texts }) => texts.includes(text));
      const isWhole = wanted === undefined || created(service, text) === timesIn(wanted, text);
      if (record?.minutes === body?.minutes && isWhole && isThere && sent.stderr.includes(`(entry ${number}). svc found no such record`))
        wrong.push(`${text}: svc did not find the record, but it exists: ${sent.stderr}`);
      await drop(write);
      // A process whose end nobody saw has already sent the queued write.
      for (const entry of open)
        if (entry.text === text && (entry.state === 'open' || entry.state === 'waiting'))
          Object.assign(entry, { state: isThere ? 'done' : 'not', isForOutbox: false });
    }
    await undisturbed(sendOutbox());
  }

  async function checkSignIn(): Promise<void> {
    const { code, stderr } = await type(me());
    if (code === 0) return;
    if (personState.signedIn && !isSignInLost())
      wrong.push(`the sign-in is lost, but no answer of the service was lost: exit ${code}: ${stderr}`);
    await undisturbed(login());
  }

  /** Checks that the service has each intended record once, with its last minutes. */
  function judgeRecords(): void {
    for (const entry of entries) {
      const count = created(service, entry.text);
      const wanted = entry.state === 'done' || entry.state === 'gone' ? 1 : 0;
      if (count !== wanted) wrong.push(`${entry.text}: ${entry.state}, and ${count} were created`);
      const now = recordOf(service, entry.text)?.minutes;
      if (entry.state === 'done' && (now === undefined || !entry.minutes.has(now)))
        wrong.push(`${entry.text}: ${[...entry.minutes].join(' or ')} minutes are expected, but it has ${now}`);
    }
    for (const file of imports)
      for (const text of file.texts)
        if (created(service, text) !== timesIn(file, text)) wrong.push(`${text}: imported ${created(service, text)} times`);
  }

  function inspect(): void {
    if (isRecovered) judgeRecords();
    for (const stray of service.strays) wrong.push(`svc sent a request to another origin: ${stray}`);
    const secrets = [...service.secrets()];
    const printed = heard.join('\n');
    for (const secret of secrets) if (printed.includes(secret)) wrong.push(`a token was printed: ${secret.slice(0, 8)}…`);
    for (const [path, content] of disk.files()) {
      // Tokens are allowed in the file store, and in files for tokens that the keychain did not accept.
      if (path.startsWith(`${HOME}/.config/svc/tokens/`) || /\/keychain\/parked\/[^/]+\.json$/.test(path)) continue;
      const text = content.toString('latin1');
      for (const secret of secrets) if (text.includes(secret)) wrong.push(`a token lies in ${path}`);
    }
  }

  return script;
}
