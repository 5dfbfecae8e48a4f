import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { INTERPRETATIONS } from '../../src/sandbox/interpretations.ts';
import { json } from '../support/http-server.ts';
import { startRecording } from '../support/recording.ts';
import { createMachine, type Machine, type SignedIn, signedIn } from '../support/svc.ts';
import { CLOCKIFY, HARVEST, TOGGL } from '../time/importing.ts';

/** Files that are imported again after a change of the file, the rows or the records. */
let here: SignedIn;
let count = 0;
let day: string;
let path: string;
beforeAll(async () => {
  here = await signedIn({ limits: 'off', personalToken: true });
});
afterAll(() => here.remove());
beforeEach(() => {
  // Each test has its own day and file.
  count += 1;
  day = new Date(Date.UTC(2031, 5, count)).toISOString().slice(0, 10);
  path = join(here.home, `hours-${count}.csv`);
  here.sandbox.setFaults([]);
  here.sandbox.requests.length = 0;
});

const csv = (...rows: string[]) => `date,minutes,description\n${rows.map((row) => `${day},${row}\n`).join('')}`;
const FILE = ['90,Review', '30,Lunch talk', '60,Plan'];

/**
 * Imports these rows from the file of the test.
 * @returns the output and the writes.
 */
async function importRows(rows: readonly string[], ...flags: readonly string[]) {
  return importText(csv(...rows), ...flags);
}

async function importText(text: string, ...flags: readonly string[]) {
  await writeFile(path, text);
  here.sandbox.requests.length = 0;
  const result = await here.svc(['worklogs', 'import', path, ...flags], { hurried: true });
  return { ...result, wrote: written() };
}

/** Returns each write, such as `POST Review 90` or `PATCH 90`. */
function written(): string[] {
  const writes = here.sandbox.requests.filter(({ method }) => method !== 'GET');
  return writes.map(({ method, body }) => {
    const { description, minutes } = (body === '' ? {} : JSON.parse(body)) as Record<string, unknown>;
    return [method, description, minutes].filter((part) => part !== undefined).join(' ');
  });
}

/** Returns the hours of the day of the test, such as `Review 90`, sorted. */
function logged(): string[] {
  const isThere = (row: Record<string, unknown>) => row['deleted_at'] === null || row['deleted_at'] === undefined;
  const rows = here.sandbox.rows('worklogs').filter((row) => row['date'] === day && isThere(row));
  return rows.map((row) => `${String(row['description'])} ${String(row['minutes'])}`).sort();
}

function idOf(text: string): string {
  return String(here.sandbox.rows('worklogs').find((row) => row['date'] === day && row['description'] === text)?.['id']);
}

/** Runs a command as svc printed it. */
async function typePrinted(stderr: string, pattern: RegExp) {
  const command = pattern.exec(stderr)?.[0] ?? `there is no ${pattern} in ${stderr}`;
  return here.svc(command.split(' ').slice(1));
}

describe('a second import of a file', () => {
  it.each([
    ['a row appended', [...FILE, '15,Late'], ['POST Late 15']],
    ['a row prepended', ['15,Early', ...FILE], ['POST Early 15']],
    ['the same rows sorted', FILE.toSorted(), []],
  ])('sends only the new rows with %s', async (_name, next, wrote) => {
    const first = await importRows(FILE);
    expect(first.stderr).toContain('3 new, 0 known, 0 changed.');
    const second = await importRows(next);
    expect(second.code, second.stderr).toBe(0);
    expect(second.stderr).toContain(`${wrote.length} new, 3 known, 0 changed.`);
    expect(second.wrote).toEqual(wrote);
    expect((await importRows(next)).wrote).toEqual([]);
    expect(logged()).toHaveLength(next.length);
  });

  it('finds no new row under another file name, format or set of column names', async () => {
    await importRows(FILE);
    await rename(path, `${path}.old`);
    path = join(here.home, `renamed-${count}.ndjson`);
    const lines = FILE.map((row) => row.split(',')).map(([minutes, description]) => ({
      Notes: description,
      Day: day,
      Minutes: Number(minutes),
    }));
    const second = await importText(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    expect(second).toMatchObject({ code: 0, wrote: [], stdout: '[]\n' });
    expect(second.stderr).toContain('0 new, 3 known, 0 changed.');
  });

  it('stores equal rows as two records, and a third row as a new record', async () => {
    await importRows(['15,Call', '15,Call']);
    expect((await importRows(['15,Call', '15,Call'])).wrote).toEqual([]);
    expect((await importRows(['15,Call', '15,Call', '15,Call'])).wrote).toEqual(['POST Call 15']);
    expect(logged()).toEqual(['Call 15', 'Call 15', 'Call 15']);
  });

  it('creates a record when the project of a row differs', async () => {
    const rows = (project: number, minutes: number) => `date,minutes,description,project_id\n${day},${minutes},Stand-up,${project}\n`;
    await importText(rows(1, 15));
    const other = await importText(rows(2, 20));
    expect(other.wrote).toEqual(['POST Stand-up 20']);
    expect(logged()).toEqual(['Stand-up 15', 'Stand-up 20']);
  });

  it.each([
    [
      'Toggl',
      TOGGL,
      (text: string, hours: string) => `Sanne de Vries,sanne@example.com,,Web shop,,${text},Yes,${day},09:00:00,,,0${hours}:00:00,,`,
    ],
    [
      'Clockify',
      CLOCKIFY,
      (text: string, hours: string) =>
        `Web shop,,${text},,Sanne de Vries,,sanne@example.com,,Yes,${day},09:00:00,,,0${hours}:00:00,${hours}.00,,`,
    ],
    [
      'Harvest',
      HARVEST,
      (text: string, hours: string) => `${day},Acme,Web shop,,${text},,${hours},${hours},Yes,No,No,Sanne,de Vries,,,Yes,,,,,Euro - EUR,`,
    ],
  ])('sends the new and the corrected rows of a longer %s export', async (_name, header, row) => {
    const rows = [row('Plan', '1'), row('Build', '2')];
    expect((await importText([header, ...rows].join('\n'))).wrote.sort()).toEqual(['POST Build 120', 'POST Plan 60']);
    const grown = [row('Build', '3'), row('Test', '1'), row('Plan', '1')];
    const next = await importText([header, ...grown].join('\n'), '--update-changed');
    expect(next.code, next.stderr).toBe(0);
    expect(next.stderr).toContain('1 new, 1 known, 1 changed.');
    expect(next.wrote.sort()).toEqual(['PATCH 180', 'POST Test 60']);
    expect((await importText([header, ...grown.toSorted()].join('\n'))).wrote).toEqual([]);
  });

  it('reports new, known and changed rows in a dry run, and records nothing', async () => {
    await importRows(FILE);
    const dry = await importRows(['95,Review', ...FILE.slice(1), '15,Late'], '--dry-run');
    expect(dry.stderr).toContain('1 new, 2 known, 1 changed.');
    expect(JSON.parse(dry.stdout)).toMatchObject([{ method: 'POST', body: { minutes: 15 } }]);
    const both = await importRows(['95,Review', ...FILE.slice(1), '15,Late'], '--dry-run', '--update-changed');
    expect(JSON.parse(both.stdout)).toMatchObject([{ method: 'POST' }, { method: 'PATCH', body: { minutes: 95 } }]);
    expect(both.wrote).toEqual([]);
    expect((await importRows([...FILE, '15,Late'])).wrote).toEqual(['POST Late 15']);
  });

  it('recognises a row whose date is "today" on another day', async () => {
    await writeFile(path, 'date,minutes,description\ntoday,15,Daily\n');
    const now = Date.parse('2031-08-01T10:00:00Z');
    expect((await here.svc(['worklogs', 'import', path], { now })).stderr).toContain('1 created.');
    const next = await here.svc(['worklogs', 'import', path], { now: now + 86_400_000 });
    expect(next.stderr).toContain('0 new, 1 known, 0 changed.');
  });
});

describe('a corrected row of the file', () => {
  const CORRECTED = ['95,Review', ...FILE.slice(1)];

  it('is listed with the command that corrects its record, and is not logged again', async () => {
    await importRows(FILE);
    const second = await importRows(CORRECTED);
    expect(second.code, second.stderr).toBe(0);
    expect(second.wrote).toEqual([]);
    expect(second.stderr).toContain('0 new, 2 known, 1 changed.');
    const command = `svc worklogs update ${idOf('Review')} --minutes 95`;
    expect(second.stderr).toContain(
      `line 2 changed since it was logged as ${idOf('Review')}: minutes 90 → 95. To correct the record: ${command}\n`,
    );
    expect(second.stderr).toContain(`svc worklogs import ${path} --update-changed`);
    expect((await typePrinted(second.stderr, /svc worklogs update .*/)).code).toBe(0);
    const third = await importRows(CORRECTED);
    expect(third.stderr).toContain('0 new, 3 known, 0 changed.');
    expect(logged()).toEqual(['Lunch talk 30', 'Plan 60', 'Review 95']);
  });

  it('is sent with --update-changed when its record is unchanged, and undo reverts the correction', async () => {
    await importRows(FILE);
    const second = await importRows([...CORRECTED, '15,Late'], '--update-changed');
    expect(second.code, second.stderr).toBe(0);
    expect(second.stderr).toContain('2 created or corrected');
    expect(second.wrote.sort()).toEqual(['PATCH 95', 'POST Late 15']);
    expect(here.sandbox.requests.find(({ method }) => method === 'PATCH')?.headers['if-match']).toBeTruthy();
    expect((await importRows([...CORRECTED, '15,Late'])).stderr).toContain('0 new, 4 known, 0 changed.');
    // The file is corrected back, and then the correction is undone.
    expect((await importRows(FILE, '--update-changed')).wrote).toEqual(['PATCH 90']);
    expect((await here.svc(['undo'])).code).toBe(0);
    expect(logged()).toContain('Review 95');
    expect((await importRows(CORRECTED)).stderr).toContain('0 new, 3 known, 0 changed');
  });

  it('is skipped when its record already has the new values', async () => {
    await importRows(FILE);
    await elsewhere(['api', 'PATCH', `/worklogs/${idOf('Review')}`, '-F', 'minutes=95']);
    // svc cannot know that without a read.
    expect((await importRows(CORRECTED)).stderr).toContain('0 new, 2 known, 1 changed.');
    const checkedPages = await importRows(CORRECTED, '--check-existing');
    expect(checkedPages.stderr).toContain('0 new, 3 known, 0 changed.');
    expect((await importRows(CORRECTED)).stderr).toContain('0 new, 3 known, 0 changed.');
    await importRows(FILE);
    await elsewhere(['api', 'PATCH', `/worklogs/${idOf('Review')}`, '-F', 'minutes=90']);
    const updated = await importRows(FILE, '--update-changed');
    expect(updated).toMatchObject({ code: 0, wrote: [] });
    expect((await importRows(FILE)).stderr).toContain('0 new, 3 known, 0 changed.');
    // svc finds the new value only when it reads the record to correct.
    const longer = [...FILE.slice(0, 2), '65,Plan'];
    await elsewhere(['api', 'PATCH', `/worklogs/${idOf('Plan')}`, '-F', 'minutes=65']);
    expect(await importRows(longer, '--update-changed')).toMatchObject({ code: 0, wrote: [] });
    expect((await importRows(longer)).stderr).toContain('0 new, 3 known, 0 changed.');
  });

  it('makes svc exit 10 and overwrite nothing when somebody else changed the record', async () => {
    await importRows(FILE);
    await elsewhere(['api', 'PATCH', `/worklogs/${idOf('Review')}`, '-F', 'minutes=120']);
    const second = await importRows(CORRECTED, '--update-changed');
    expect(second.code, second.stderr).toBe(10);
    expect(second.stderr).toContain(`line 2: Somebody else changed record ${idOf('Review')}: minutes 120 in the service, 95 in the file.`);
    expect(logged()).toContain('Review 120');
    expect(await readFile(`${path}.failed.csv`, 'utf8')).toContain('95,Review');
  });

  it('is not corrected twice when the answer was lost', async () => {
    await importRows(FILE);
    for (const drop of ['after', 'before'] as const) {
      const minutes = drop === 'after' ? '95' : '99';
      const next = [`${minutes},Review`, ...FILE.slice(1)];
      here.sandbox.setFaults([{ method: 'PATCH', path: '/worklogs/*', drop }]);
      const lost = await importRows(next, '--update-changed');
      expect(lost.code, lost.stderr).toBe(8);
      const again = await importRows(next, '--update-changed');
      expect(again.code, again.stderr).toBe(0);
      expect(again.wrote).toEqual(drop === 'after' ? [] : ['PATCH 99']);
      expect(logged()).toEqual(['Lunch talk 30', 'Plan 60', `Review ${minutes}`]);
    }
  });

  it('is not sent while its first version is unconfirmed', async () => {
    here.sandbox.setFaults([{ method: 'POST', path: '/worklogs', times: 5, drop: 'after' }]);
    expect((await importRows(['90,Review'])).code).toBe(8);
    const second = await importRows(['95,Review'], '--update-changed');
    expect([second.code, second.wrote]).toEqual([6, []]);
    expect(second.stderr).toContain('0 new, 0 known, 0 changed, 1 unconfirmed.');
    expect(second.stderr).toContain('svc left out 1 row with an unconfirmed earlier write.');
    const third = await importRows(['95,Review', '60,Plan'], '--update-changed');
    expect([third.code, third.wrote]).toEqual([10, ['POST Plan 60']]);
    expect((await typePrinted(second.stderr, /svc outbox send \d+/)).code).toBe(0);
    expect((await importRows(['95,Review', '60,Plan'], '--update-changed')).wrote).toEqual(['PATCH 95']);
    expect(logged()).toEqual(['Plan 60', 'Review 95']);
  });
});

describe('a row removed from the file', () => {
  it('is listed with the command that deletes its record, until the record is deleted', async () => {
    await importRows(FILE);
    const second = await importRows(['90,Review', '60,Plan']);
    expect(second.wrote).toEqual([]);
    expect(second.stderr).toContain('0 new, 2 known, 0 changed, 1 no longer in the file.');
    expect(second.stderr).toContain(
      `minutes 30, description "Lunch talk"). To delete the record: svc worklogs delete ${idOf('Lunch talk')}\n`,
    );
    expect((await here.svc(['worklogs', 'delete', idOf('Lunch talk'), '--yes'])).code).toBe(0);
    expect((await importRows(['90,Review', '60,Plan'])).stderr).toContain('0 new, 2 known, 0 changed.');
    // The row is new again once it is back in the file.
    expect((await importRows(FILE)).wrote).toEqual(['POST Lunch talk 30']);
  });
});

describe('rows of an import that was undone', () => {
  it('count as new rows', async () => {
    await importRows(FILE);
    const undone = await here.svc(['undo', '--yes']);
    expect(undone.code, undone.stderr).toBe(0);
    expect(logged()).toEqual([]);
    const again = await importRows(FILE);
    expect(again.stderr).toContain('3 new, 0 known, 0 changed.');
    expect(logged()).toEqual(['Lunch talk 30', 'Plan 60', 'Review 90']);
    expect((await importRows(FILE)).wrote).toEqual([]);
  });
});

describe('svc import --check-existing', () => {
  let other: Machine;
  beforeEach(async () => {
    other = await createMachine();
    expect((await other.svc(['login', here.host])).code).toBe(0);
  });
  const there = async (rows: readonly string[], ...flags: string[]) => {
    await writeFile(path, csv(...rows));
    here.sandbox.requests.length = 0;
    const result = await other.svc(['worklogs', 'import', path, ...flags]);
    return { ...result, wrote: written() };
  };

  it('sends, on a second machine, only the rows that the service lacks, and records all rows', async () => {
    try {
      await importRows(FILE);
      const dry = await there([...FILE, '15,Late'], '--check-existing', '--dry-run');
      expect(dry.stderr).toContain('1 new, 3 known, 0 changed.');
      // A dry run remembers nothing.
      expect((await there(FILE, '--dry-run')).stderr).toContain('3 new, 0 known, 0 changed.');
      const second = await there([...FILE, '15,Late'], '--check-existing');
      expect(second.stderr).toContain('1 new, 3 known, 0 changed.');
      expect(second.wrote).toEqual(['POST Late 15']);
      expect((await there([...FILE, '15,Late'])).wrote).toEqual([]);
      expect(logged()).toHaveLength(4);
    } finally {
      await other.remove();
    }
  });

  it.each(INTERPRETATIONS.deletedRecords)(
    'finds changed and hand-made records, and treats rows of deleted records as new, with deletedRecords %s (rule 18.31)',
    async (deletedRecords) => {
      const before = here.sandbox.interpretations.deletedRecords;
      Object.assign(here.sandbox.interpretations, { deletedRecords });
      try {
        await importRows(FILE);
        await here.svc(['worklogs', 'add', '--minutes', '20', '--date', day, '--description', 'By hand']);
        const changed = ['95,Review', ...FILE.slice(1), '20,By hand'];
        const second = await there(changed, '--check-existing');
        expect(second.stderr).toContain('0 new, 3 known, 1 changed.');
        expect(second.stderr).toContain(`svc worklogs update ${idOf('Review')} --minutes 95`);
        expect(second.wrote).toEqual([]);
        // svc still knows that the row is changed, without another read.
        expect((await there(changed, '--update-changed')).wrote).toEqual(['PATCH 95']);
        await here.svc(['worklogs', 'delete', idOf('Plan'), '--yes']);
        expect((await there(changed)).wrote).toEqual([]);
        expect((await there(changed, '--check-existing')).wrote).toEqual(['POST Plan 60']);
        expect(logged()).toEqual(['By hand 20', 'Lunch talk 30', 'Plan 60', 'Review 95']);
      } finally {
        Object.assign(here.sandbox.interpretations, { deletedRecords: before });
        await other.remove();
      }
    },
  );
});

describe('two equal rows become two records', () => {
  const EQUAL = ['15,Same', '15,Same'];

  it('when the service refused the first row before', async () => {
    here.sandbox.setFaults([{ method: 'POST', path: '/worklogs', status: 422 }]);
    expect((await importRows(EQUAL)).code).toBe(10);
    const again = await importRows(EQUAL);
    expect(again.stderr).toContain('1 new, 1 known, 0 changed.');
    expect(again.code, again.stderr).toBe(0);
    expect(logged()).toEqual(['Same 15', 'Same 15']);
    expect((await importRows(EQUAL)).wrote).toEqual([]);
  });

  it('when the service refused the first row, and the journal is lost', async () => {
    here.sandbox.setFaults([{ method: 'POST', path: '/worklogs', status: 422 }]);
    expect((await importRows(EQUAL)).code).toBe(10);
    const env = { XDG_STATE_HOME: join(here.home, `state-${count}`) };
    const again = await here.svc(['worklogs', 'import', path, '--check-existing'], { env });
    expect(again.stderr).toContain('1 new, 1 known, 0 changed.');
    expect(again.code, again.stderr).toBe(0);
    expect(logged()).toEqual(['Same 15', 'Same 15']);
    expect((await here.svc(['worklogs', 'import', path], { env })).stderr).toContain('0 new, 2 known, 0 changed.');
  });

  it('when the service refused one row, and the answer of the other was lost', async () => {
    here.sandbox.setFaults([
      { method: 'POST', path: '/worklogs', status: 422 },
      { method: 'POST', path: '/worklogs', drop: 'after', times: Number.POSITIVE_INFINITY },
    ]);
    expect((await importRows(EQUAL)).code).toBe(8);
    here.sandbox.setFaults([]);
    const again = await importRows(EQUAL);
    expect(again.code, again.stderr).toBe(0);
    expect(logged()).toEqual(['Same 15', 'Same 15']);
    expect((await importRows(EQUAL)).wrote).toEqual([]);
  });
});

it('svc import refuses a row when the service twice answers with the record of another row', async () => {
  const recording = await startRecording();
  try {
    const file = join(recording.home, 'hours.csv');
    await writeFile(file, 'date,minutes\n2026-05-04,90\n2026-05-04,60\n');
    const { code, stderr } = await recording.svc(['worklogs', 'import', file]);
    expect(code, stderr).toBe(10);
    expect(stderr).toContain('line 3: The service answered with record 31, which belongs to another row.');
    expect(recording.sent().filter((request) => request.startsWith('POST'))).toHaveLength(3);
  } finally {
    await recording.remove();
  }
});

/** Another person at another machine, whose writes are not in this journal. */
async function elsewhere(argv: readonly string[]): Promise<void> {
  const env = { SVC_TOKEN: here.sandbox.tokens[0]?.value ?? '', SVC_HOST: here.host };
  const result = await here.svc(argv, { env });
  expect(result.code, result.stderr).toBe(0);
}

describe('the journal of an import', () => {
  it('contains the rows that svc apply sent', async () => {
    const plan = join(here.home, `${count}.plan`);
    expect((await importRows(FILE, '--plan', plan)).wrote).toEqual([]);
    const shown = await here.svc(['apply', plan, '--no-input']);
    const { sha256 } = JSON.parse(shown.stdout) as { sha256: string };
    expect((await here.svc(['apply', plan, `--yes=${sha256}`])).code).toBe(0);
    const again = await importRows([...FILE, '15,Late']);
    expect(again.stderr).toContain('1 new, 3 known, 0 changed.');
    expect(again.wrote).toEqual(['POST Late 15']);
  });

  it('stops the import when svc cannot read the journal', async () => {
    const state = join(here.home, `state-${count}`);
    await mkdir(join(state, 'svc'), { recursive: true });
    await writeFile(join(state, 'svc', 'journal'), 'in the way');
    await writeFile(path, csv(...FILE));
    const result = await here.svc(['worklogs', 'import', path], { env: { XDG_STATE_HOME: state } });
    expect(result.code).toBe(1);
    expect(result.stderr).toContain('svc cannot use the journal ');
    expect(written()).toEqual([]);
  });
});

it('--check-existing reads from the service, not from the cache (rule 7.2)', async () => {
  const recording = await startRecording();
  try {
    let hours: readonly object[] = [];
    recording.server.fallback((request, response, socket) => {
      const isMe = request.path.endsWith('/me');
      const body = isMe ? { id: 7, timezone: 'Europe/Amsterdam' } : { data: hours, meta: { page: { total: null } }, links: { next: null } };
      json(200, body, { 'cache-control': 'private, max-age=60' })(request, response, socket);
    });
    const file = join(recording.home, 'hours.csv');
    await writeFile(file, 'date,minutes,description\n2026-05-04,90,Review\n');
    const look = async () => {
      const { code, stderr } = await recording.svc(['worklogs', 'import', file, '--check-existing', '--dry-run']);
      expect(code, stderr).toBe(0);
      return stderr;
    };
    expect(await look()).toContain('1 new, 0 known, 0 changed.');
    hours = [{ id: 1, date: '2026-05-04', minutes: 90, description: 'Review', user_id: 7 }];
    expect(await look()).toContain('0 new, 1 known, 0 changed.');
  } finally {
    await recording.remove();
  }
});
