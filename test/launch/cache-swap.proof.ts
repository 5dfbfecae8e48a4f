/**
 * Another user of the machine, in a place that both may write to, swaps the cache of compiled code while svc starts: for one whose code is
 * theirs, of the right name, length and sum. V8 would run it. Run by root, since it takes two users; SVC_SWAPS says how often (40).
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { openCodeCache } from '../../src/launch/code-cache.ts';

const SWAPS = Number(process.env['SVC_SWAPS'] ?? 40);
/** Nobody's, on any system; no entry of passwd is needed. */
const ADA = 61_001;
const MALLORY = 61_002;
const HEAD = '(function (exports, require, module, __filename, __dirname) { ';
const MARK = 'run by whoever swapped the cache';

let root: string;
beforeAll(() => {
  // The run's own temporary directory is nobody else's to enter, and both must get here.
  root = mkdtempSync(join(process.env['SVC_SHARED_TMP'] ?? '/tmp', 'svc-swap-'));
  chmodSync(root, 0o755);
  cpSync(inject('bundle'), join(root, 'svc'), { recursive: true, verbatimSymlinks: true });
  cpSync(process.execPath, join(root, 'node'));
  spawnSync('chmod', ['-R', 'a+rX', join(root, 'svc'), join(root, 'node')]);
  return () => rmSync(root, { recursive: true, force: true });
});

const canBeOthers = process.platform === 'linux' && process.getuid?.() === 0;

describe.skipIf(!canBeOthers)('compiled code that another user puts into the cache', () => {
  it('runs when that user starts svc, so an attack could succeed', () => {
    const place = join(root, 'own');
    mkdirSync(place, { mode: 0o700 });
    chownSync(place, MALLORY, MALLORY);
    help(MALLORY, place);
    poison(place, buildIn(place), MALLORY);
    expect(help(MALLORY, place)).toContain(MARK);
  });

  it.each([
    ['in a directory that everybody can write to', 0o777],
    ['in a directory with the sticky bit', 0o1777],
  ])(`never runs in ${SWAPS} attempts %s`, async (_name, mode) => {
    const place = mkdtempSync(join(root, 'shared-'));
    chownSync(place, ADA, ADA);
    // Made while the place was still Ada's own.
    help(ADA, place);
    const build = buildIn(place);
    // Beside it another, of which the middle directory is the other user's.
    const theirs = join(place, 'theirs');
    mkdirSync(join(theirs, 'code'), { recursive: true });
    poison(place, build, MALLORY, theirs);
    chmodSync(place, mode);
    // Whose a directory is may move everything in it.
    if (mode === 0o1777) chownSync(place, MALLORY, MALLORY);
    const swapper = swapping(place);
    let ran = 0;
    try {
      await once(swapper.stdout as NodeJS.ReadableStream, 'data');
      for (let run = 0; run < SWAPS; run++) {
        const shown = help(ADA, place);
        if (shown.includes(MARK)) ran += 1;
        else expect(shown).toContain('svc');
      }
    } finally {
      swapper.kill('SIGKILL');
      await once(swapper, 'close');
    }
    expect(ran).toBe(0);
  });
});

function help(uid: number, cache: string): string {
  const { stdout, stderr } = spawnSync(join(root, 'node'), [join(root, 'svc', 'bin', 'svc.js'), '--help'], {
    cwd: '/',
    uid,
    gid: uid,
    env: { HOME: '/nonexistent', XDG_CACHE_HOME: cache, PATH: '/usr/bin:/bin' },
    encoding: 'utf8',
  });
  return stdout + stderr;
}

function buildIn(cache: string): string {
  const [build = ''] = readdirSync(join(cache, 'svc', 'code'));
  expect(build).toMatch(/^[0-9a-f]{16}-v/);
  return build;
}

/** Puts code that says who it is in the place of the bundle's first file. */
function poison(cache: string, build: string, owner: number, svc = join(cache, 'svc')): void {
  const file = 'main.cjs';
  const source = `${HEAD}${readFileSync(join(root, 'svc', 'dist', file), 'latin1')}\n})`;
  const evil = `${HEAD}process.stdout.write(${JSON.stringify(`${MARK}\\n`)})})`;
  const script = new Script(evil.padEnd(source.length), { filename: file });
  script.runInThisContext();
  const made = join(root, 'made');
  rmSync(made, { recursive: true, force: true });
  mkdirSync(join(made, 'svc'), { recursive: true, mode: 0o700 });
  const kept = openCodeCache(join(made, 'svc', 'code'), build, 'help');
  kept?.add(file, script);
  kept?.save();
  const target = join(svc, 'code', build);
  rmSync(target, { recursive: true, force: true });
  cpSync(join(made, 'svc', 'code', build), target, { recursive: true });
  spawnSync('chown', ['-R', `${owner}:${owner}`, svc]);
  // For whoever is to be tricked into reading it.
  spawnSync('chmod', ['-R', 'a+rX', svc]);
  expect(existsSync(join(target, `${file}.help`))).toBe(true);
}

/** Swaps the two without a pause, by renaming the whole, what is below, and by links. */
function swapping(place: string): ChildProcess {
  const script = join(root, 'swap.mjs');
  writeFileSync(
    script,
    `import { renameSync, symlinkSync, unlinkSync } from 'node:fs';
const place = ${JSON.stringify(place)};
process.chdir(place);
const tried = (work) => { try { work(); } catch {} };
console.log('swapping');
for (let made = 0; ; ) {
  tried(() => renameSync('svc', 'kept'));
  // Made anew by svc while there was none.
  tried(() => renameSync('svc', 'made' + ++made));
  tried(() => renameSync('theirs', 'svc'));
  tried(() => renameSync('svc', 'theirs'));
  tried(() => symlinkSync('theirs', 'svc'));
  tried(() => unlinkSync('svc'));
  tried(() => renameSync('kept', 'svc'));
}
`,
  );
  return spawn(join(root, 'node'), [script], { uid: MALLORY, gid: MALLORY, stdio: ['ignore', 'pipe', 'inherit'] });
}
