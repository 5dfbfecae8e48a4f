import { createHash } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { createRandom } from '../../src/sandbox/seed/seeding.ts';
import { createDisk } from './disk.ts';
import { createUserKeychain } from './keychain.ts';
import { end, type Scenario } from './life.ts';
import type { Machine } from './process.ts';
import { createScenarioNetwork } from './scenario-network.ts';
import { createScript } from './script.ts';
import { createService } from './service.ts';
import { createTimeline } from './timeline.ts';

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
  const copies = createRandom(seed * 5 + 4);
  const hasCopy = copies.chance(SHARE_WITH_COPY);
  const service = createService(scenario, { isLong: hasCopy });
  const network = createScenarioNetwork(scenario);
  const isFile = scenario.plot.chance(0.4);
  const isToken = scenario.plot.chance(0.3);
  const machine: Machine = {
    scenario,
    service,
    behaviour: network,
    userKeychain: createUserKeychain(),
    running: new Set(),
    lostPairs: 0,
    hasLoosePair: false,
    env: {
      SVC_HOST: new URL(service.origin).host,
      SVC_TOKEN_STORE: isFile ? 'file' : 'keychain',
      ...(isToken && { SVC_TOKEN: service.sandboxState.tokens.all[0]?.value ?? '' }),
    },
  };
  const script = createScript(machine, network, isToken, hasCopy ? copies : undefined);
  try {
    let isPlayed = false;
    let failure: unknown;
    void script.play().then(
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
    if (!ended) script.wrong.push(`never ends: ${[...machine.running].map(({ name }) => name).join(', ')}`);
    for (const complaint of script.wrong) scenario.trace('judge', complaint);
    isOver = true;
    return { seed, wrong: script.wrong, digest: createHash('sha256').update(text).digest('hex'), lines, commands: script.commands, events };
  } finally {
    for (const life of machine.running) end(life);
    scenario.disk.destroy();
  }
}
