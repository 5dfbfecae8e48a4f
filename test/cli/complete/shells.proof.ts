import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { svcBinary } from '../../support/binary.ts';
import { partOf } from '../../support/parts.ts';
import { type SignedIn, signedIn } from '../../support/svc.ts';
import { hasProgram, openTerminal, type Terminal } from '../../support/terminal.ts';

// Runs the scripts of svc completion in real shells, at a real terminal, with the real binary.

const binary = svcBinary();
let machine: SignedIn;
let env: Record<string, string>;
beforeAll(async () => {
  machine = await signedIn();
  const bin = join(machine.home, 'bin');
  await mkdir(bin);
  await writeFile(join(bin, 'svc'), `#!/bin/sh\nexec '${process.execPath}' --disable-warning=ExperimentalWarning '${binary.path}' "$@"\n`);
  await chmod(join(bin, 'svc'), 0o755);
  await writeFile(join(machine.home, 'notes.html'), '<p>Notes</p>');
  env = { HOME: machine.home, PATH: `${bin}:/usr/local/bin:/usr/bin:/bin`, TERM: 'xterm-256color', SVC_TOKEN_STORE: 'file' };
  for (const name of [`Mike's "Café": $5`, 'Back`tick \\ & co', 'a,b;c|d (e)'])
    expect(await machine.svc(['projects', 'create', '--data', JSON.stringify({ name })])).toMatchObject({ code: 0 });
  for (const noun of ['projects', 'users', 'workflow-statuses', 'work-items'])
    expect(await machine.svc(['__complete', '--ask', noun])).toMatchObject({ code: 0 });
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { code, stdout } = await machine.svc(['completion', shell]);
    expect(code).toBe(0);
    await writeFile(join(machine.home, `completion.${shell}`), stdout);
  }
  await writeFile(join(machine.home, '.zshrc'), "PS1='ready> '\nbindkey -e\nsetopt interactivecomments\nsource ~/completion.zsh\n");
  await mkdir(join(machine.home, '.config/fish'), { recursive: true });
  await writeFile(
    join(machine.home, '.config/fish/config.fish'),
    "set -g fish_greeting\nset -g fish_autosuggestion_enabled 0\nfunction fish_prompt; echo -n 'ready> '; end\nsource ~/completion.fish\n",
  );
});
afterAll(async () => {
  await machine.remove();
});

/** The typed line before Tab, and the line after it. `HOST` stands for the signed-in host. */
const FILLED_IN: readonly (readonly [typed: string, line: string])[] = [
  ['svc absenc', 'svc absences '],
  ['svc worklogs upd', 'svc worklogs update '],
  ['svc work-items subta', 'svc work-items subtasks '],
  ['svc worklogs list --outp', 'svc worklogs list --output '],
  ['svc worklogs list --output ya', 'svc worklogs list --output yaml '],
  ['svc worklogs list --output=nd', 'svc worklogs list --output=ndjson '],
  ['svc --quiet worklogs li', 'svc --quiet worklogs list '],
  ['svc worklog li', 'svc worklog list '],
  ['svc --host 127', 'svc --host HOST '],
  ['svc --host=127', 'svc --host=HOST '],
  ['svc worklogs import no', 'svc worklogs import notes.html '],
  ['svc work-items create --description @no', 'svc work-items create --description @notes.html '],
  ['svc api -F body=@no', 'svc api -F body=@notes.html '],
  ['svc work-items transition ABC-12 --to In\\ r', 'svc work-items transition ABC-12 --to In\\ review '],
];

/** fish ends every word with a blank, and offers only words with the typed beginning. */
const NOT_IN_FISH: readonly (readonly [typed: string, line: string])[] = [
  ['svc projects list --fields id,na', 'svc projects list --fields id,name'],
  ['svc report --by project,us', 'svc report --by project,user'],
];

/** Names with blanks, colons and quotes, typed with and without quotes. */
const NAMES: readonly (readonly [typed: string, line: string])[] = [
  ['svc worklogs list --project web', 'svc worklogs list --project Web\\ shop '],
  ['svc worklogs list --project=Web', 'svc worklogs list --project=Web\\ shop '],
  ['svc worklogs list --project "Web', 'svc worklogs list --project "Web shop" '],
  ["svc worklogs list --project 'Web", "svc worklogs list --project 'Web shop' "],
  ['svc worklogs add 1h project:Web', 'svc worklogs add 1h project:Web\\ shop '],
  ['svc timers start ABC-12', 'svc timers start ABC-12 '],
];

describe.each([
  ['bash', `bash --norc --noprofile -i`, [...FILLED_IN, ...NAMES, ...NOT_IN_FISH]],
  ['zsh', 'zsh -i', [...FILLED_IN, ...NAMES, ...NOT_IN_FISH]],
  ['fish', 'fish -i', [...FILLED_IN, ...NAMES]],
] as const)('completion in %s', (shell, commandLine, lines) => {
  const missing = [shell, 'tmux'].filter((program) => !hasProgram(program));
  const required = process.env['SVC_TEST_SHELLS'] === 'required';
  // A contributor does not need every shell. .ci/run installs them and sets SVC_TEST_SHELLS, so CI skips none.
  if (missing.length > 0 && !required) {
    it.skip(`is skipped without ${missing.join(' and no ')}`, () => undefined);
    return;
  }

  let terminal: Terminal;
  beforeAll(async () => {
    terminal = openTerminal(commandLine, { home: machine.home, env });
    // Loads only the script, without the package bash-completion.
    if (shell === 'bash') {
      await terminal.shows(/[$#]\s*$/m);
      await terminal.type("source ~/completion.bash; PS1='ready> '; clear");
      await terminal.press('Enter');
    }
    await terminal.shows(/^ready>\s*$/m);
  });
  afterAll(() => terminal?.close());

  /** Clears the line without running it, and leaves a screen with only a prompt. */
  async function nextLine() {
    for (const key of ['C-e', 'C-u', 'C-l']) await terminal.press(key);
    await terminal.shows(/^\s*ready>\s*$/);
  }

  it('completes a word when only one candidate fits', async () => {
    for (const [typed, line] of partOf(lines, 2)) {
      await terminal.type(typed);
      await terminal.press('Tab');
      // A blank at the end of the line shows only before the next character.
      await terminal.type('!');
      await terminal.shows(asLine(`${line.replace('HOST', machine.host)}!`));
      await nextLine();
    }
  });

  it('passes on a name with quotes and other special characters unchanged', async () => {
    for (const [typed, name] of [
      ['Mi', `Mike's "Café": $5`],
      ["'Mi", `Mike's "Café": $5`],
      ['"Mi', `Mike's "Café": $5`],
      ['Back', 'Back`tick \\ & co'],
      ['"Back', 'Back`tick \\ & co'],
      ["'Back", 'Back`tick \\ & co'],
      ['a,b', 'a,b;c|d (e)'],
    ] as const) {
      await terminal.type(`svc projects get ${typed}`);
      await terminal.press('Tab');
      await terminal.type(' --fields name');
      await terminal.press('Enter');
      await terminal.shows(new RegExp(`^name\\s+${literal(name)}$`, 'm'));
      await nextLine();
    }
  });

  it('offers only the allowed transitions of a work item', async () => {
    await terminal.type('svc work-items transition ABC-12 --to ');
    await terminal.press('Tab');
    await terminal.press('Tab');
    const screen = await terminal.shows(/Done|review/);
    expect(screen).not.toMatch(/Open|Closed/);
    await nextLine();
  });

  it('lists candidates with their ids', async () => {
    await terminal.type('svc worklogs list --project ');
    await terminal.press('Tab');
    await terminal.press('Tab');
    const screen = await terminal.shows(/Internal/);
    expect(screen).toMatch(/Web\\? shop.*#2/);
    expect(screen).toMatch(/مشروع\\? التدريب/);
    await nextLine();
  });
});

function asLine(text: string): RegExp {
  return new RegExp(`^ready> ${literal(text)}\\s*$`, 'm');
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
