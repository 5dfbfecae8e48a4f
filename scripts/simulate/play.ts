import { createHash } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { createRandom } from '../../src/sandbox/seed/seeding.ts';
import { createColleague } from './colleague.ts';
import { createDisk } from './disk.ts';
import { createUserKeychain } from './keychain.ts';
import { end, type Scenario } from './life.ts';
import { NAMED, OWN } from './local-database.ts';
import type { Machine } from './machine.ts';
import { createScenarioNetwork } from './scenario-network.ts';
import { createScript, type ScriptOptions } from './script.ts';
import { createService } from './service.ts';
import { createTimeline } from './timeline.ts';
import type { Company } from './typing.ts';

/** The result of one scenario. */
export interface Played {
  readonly seed: number;
  /** One line per error. Empty if there was none. */
  readonly wrong: readonly string[];
  /** A digest of the log. Two runs with the same seed have the same digest. */
  readonly digest: string;
  /** The log. Empty unless the caller asked for it. */
  readonly lines: readonly string[];
  /** The number of commands. */
  readonly commands: number;
  /** The number of steps in all processes. */
  readonly events: number;
}

/** The share of scenarios that have a local database. */
const SHARE_WITH_COPY = 1 / 8;

/** The share of scenarios that have child records in a local database, and another person who writes. */
const SHARE_WITH_CHILDREN = 1 / 12;

/** The share of scenarios that correct several time entries at once, among those without another person. */
const SHARE_WITH_MANY = 1 / 4;

/** The share of scenarios with a second machine, another person, and pauses of days. */
const SHARE_WITH_OTHERS = 1 / 3;

/** Plays the scenario of a seed to its end. */
export async function play(seed: number, options: { readonly directory: string; readonly isTraced?: boolean }): Promise<Played> {
  const timeline = createTimeline();
  const lines: string[] = [];
  let text = '';
  let events = 0;
  let isOver = false;
  const scenario: Scenario = {
    timeline,
    random: createRandom(seed * 3 + 1),
    plot: createRandom(seed * 3 + 2),
    secrets: createRandom(seed * 3),
    disk: createDisk(mkdtempSync(`${options.directory}/w-`)),
    trace(who, what) {
      // Steps after the final checks do not matter.
      if (isOver) return;
      events += 1;
      const line = `${timeline.now.toFixed(3)} ${who}: ${what}`;
      text += `${line}\n`;
      if (options.isTraced) lines.push(line);
    },
    clockOffset: 0,
    listeners: new Map(),
  };
  // A separate generator decides this, so that other scenarios stay the same.
  const random = createRandom(seed * 5 + 4);
  const hasCopy = random.chance(SHARE_WITH_COPY);
  const nested = createRandom(seed * 11 + 6);
  const hasChildren = !hasCopy && nested.chance(SHARE_WITH_CHILDREN);
  const copies = hasChildren ? { copy: OWN, random: nested } : hasCopy ? { copy: NAMED, random } : undefined;
  const service = createService(scenario, { isLong: hasCopy, hasChildren });
  const company: Company = { people: [], busy: new Set(), hasDayPassed: false };
  const machines: Machine[] = [];
  const scriptOf = (name: string, own: Scenario, options: Omit<ScriptOptions, 'company' | 'isToken' | 'network'>) => {
    const network = createScenarioNetwork(own);
    const isFile = own.plot.chance(0.4);
    const isToken = own.plot.chance(0.3);
    const machine: Machine = {
      name,
      scenario: own,
      service,
      behaviour: network,
      userKeychain: createUserKeychain(),
      running: new Set(),
      clients: new Set(),
      lostRotations: 0,
      lostPairs: 0,
      hasLoosePair: false,
      env: {
        SVC_HOST: new URL(service.origin).host,
        SVC_TOKEN_STORE: isFile ? 'file' : 'keychain',
        ...(isToken && { SVC_TOKEN: service.sandboxState.tokens.all[0]?.value ?? '' }),
      },
    };
    machines.push(machine);
    return createScript(machine, { ...options, company, isToken, network });
  };
  const others = createRandom(seed * 7 + 5);
  const isShared = others.chance(SHARE_WITH_OTHERS);
  const more = isShared || hasChildren ? { random: others, colleague: createColleague(service, scenario, others) } : undefined;
  const many = createRandom(seed * 13 + 7);
  const hasMany = more === undefined && many.chance(SHARE_WITH_MANY);
  const scripts = [scriptOf('', scenario, { copies, many: hasMany ? many : undefined, more })];
  if (isShared) {
    const disk = createDisk(mkdtempSync(`${options.directory}/w-`));
    scripts.push(scriptOf('M', { ...scenario, disk, clockOffset: 0, listeners: new Map() }, { more }));
  }
  try {
    const wrong = () => scripts.flatMap((script) => script.wrong);
    let isPlayed = false;
    let failure: unknown;
    const playAll = async () => {
      await Promise.all(scripts.map((script) => script.playScenes()));
      for (const script of scripts) if (wrong().length === 0) await script.recover();
      for (const script of scripts) script.inspect();
    };
    void playAll().then(
      () => {
        isPlayed = true;
      },
      (error: unknown) => {
        failure = error;
        isPlayed = true;
      },
    );
    const ended = await timeline.drive(() => isPlayed);
    if (failure !== undefined) throw failure;
    const running = machines.flatMap((machine) => [...machine.running]);
    const complaints = [...wrong(), ...(ended ? [] : [`never ends: ${running.map(({ name }) => name).join(', ')}`])];
    for (const complaint of complaints) scenario.trace('judge', complaint);
    isOver = true;
    const commands = scripts.reduce((sum, script) => sum + script.commands, 0);
    return { seed, wrong: complaints, digest: createHash('sha256').update(text).digest('hex'), lines, commands, events };
  } finally {
    for (const machine of machines) {
      for (const life of machine.running) end(life);
      machine.scenario.disk.destroy();
    }
  }
}
