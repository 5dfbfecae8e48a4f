import { DAY, dayStart, HOUR, utcDate, utcSecond } from '../dates.ts';
import type { Json } from '../json.ts';
import { zoneOf } from '../resources/fields.ts';
import { LAST_WHOLE_DAY, lastSecondOf } from '../resources/leave.ts';
import { BEGINNING, isWeekend, midnightsBetween, type Seeding } from './seeding.ts';

type Person = readonly [
  name: string,
  email: string,
  job: string,
  role: 'admin' | 'manager' | 'employee' | 'contractor',
  timezone: string | null,
  manager: number | null,
  branch: number,
  hours: Json,
];

const WORKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'] as const;

function week(start: string, end: string, free: readonly string[] = []): Json {
  const days: { [day: string]: Json } = { saturday: null, sunday: null };
  for (const day of WORKDAYS) days[day] = free.includes(day) ? null : { start, end };
  return days;
}

/** The people of the organisation. The first person is the default user. Some names are as unusual as real names can be. */
const PEOPLE: readonly Person[] = [
  ['Sanne de Vries', 'sanne', 'Managing director', 'admin', 'Europe/Amsterdam', null, 1, week('09:00', '17:00')],
  ['Olumide Adeyemi', 'olumide', 'Head of delivery', 'manager', 'Africa/Lagos', 0, 2, week('08:30', '16:30')],
  ['Zoë Müller-Lüdenscheidt', 'zoe', 'Designer', 'employee', 'Europe/Berlin', 1, 1, week('09:00', '17:00', ['wednesday'])],
  ['Nguyễn Thị Hương', 'huong', 'Engineer', 'employee', 'Asia/Ho_Chi_Minh', 1, 3, week('08:00', '17:00')],
  ['田中 陽子', 'yoko', 'Engineer', 'employee', 'Asia/Tokyo', 1, 3, week('10:00', '18:00')],
  ['أحمد المنصوري', 'ahmed', 'Consultant', 'contractor', 'Asia/Dubai', null, 2, null],
  ['Siobhán O’Brien', 'siobhan', 'Project manager', 'manager', 'Europe/Dublin', 0, 1, week('09:30', '17:30')],
  ['Łukasz Wiśniewski', 'lukasz', 'Engineer', 'employee', 'Europe/Warsaw', 6, 1, week('07:00', '15:00')],
  [
    'María José García Pérez',
    'mariajose',
    'Analyst, "numbers & words"',
    'employee',
    'America/Bogota',
    6,
    2,
    week('08:00', '16:00', ['monday', 'friday']),
  ],
  ['Ravi Krishnamurthy', 'ravi', 'Engineer', 'employee', 'Asia/Kolkata', 6, 3, week('10:00', '19:00')],
  ['Anaïs N’Diaye', 'anais', 'Bookkeeper', 'employee', null, 0, 1, week('09:00', '13:00')],
  ['Mike "Mick" <Smith>, Jr.', 'mike', 'Support', 'employee', 'America/St_Johns', null, 2, null],
];

export function seedPeople({ addRecord }: Seeding): void {
  const branches = [
    { name: 'Amsterdam', address: 'Keizersgracht 12', city: 'Amsterdam', country_code: 'NL', latitude: '52.3728', longitude: '4.8936' },
    { name: 'Lagos', address: '4 Broad Street', city: 'Lagos', country_code: 'NG', latitude: '6.4530556', longitude: '3.3958333' },
    { name: 'Tōkyō 東京', address: '丸の内 1-9-1', city: '東京', country_code: 'JP', latitude: null, longitude: null },
  ];
  for (const branch of branches) addRecord('company-branches', branch);
  for (const [name, email, job, role, timezone, manager, branch, hours] of PEOPLE) {
    const [first = name, ...rest] = name.split(' ');
    addRecord('users', {
      name,
      first_name: first,
      last_name: rest.join(' ') || null,
      email: `${email}@example.com`,
      job_title: job,
      role,
      timezone,
      working_hours: hours,
      manager_id: manager === null ? null : manager + 1,
      company_branch_id: branch,
      is_active: true,
      started_on: '2019-04-01',
    });
  }
}

/**
 * Creates absences, holidays, free days, check-ins, a furlough balance and events. Random absences begin in 2025 and end with 2026, or with
 * the current time if 2026 is over. Nobody requested an absence within the last hour.
 */
export function seedLeave({ addRecord, randomFor, all, db, now }: Seeding): void {
  const until = Math.max(now, Date.UTC(2026, 11, 31));
  for (const user of all('users')) {
    // Each user has a separate generator, because the number of random values depends on the current date. The absences of 2025 then stay
    // the same.
    const random = randomFor(`vacations ${user.id}`);
    for (let day = BEGINNING + random.integer(3, 60) * DAY; day < until; day += random.integer(30, 120) * DAY) {
      const length = random.integer(1, 14);
      const drawn = {
        user_id: user.id,
        manager_id: user['manager_id'] ?? null,
        type: random.pick(['vacation', 'vacation', 'sick', 'special', 'unpaid']),
        start: utcSecond(day + 8 * HOUR),
        end: utcSecond(day + (length - 1) * DAY + 16 * HOUR),
        status: random.pick(['approved', 'approved', 'requested', 'declined']),
        note: random.chance(0.2) ? 'Back on Monday, "probably"' : null,
        created_at: utcSecond(Math.min(now - HOUR, day - 14 * DAY)),
      };
      // The default user has no random absence in the last four weeks or later. svc would ask about hours logged on such a day.
      if (user.id !== 1 || day < now - 28 * DAY) addRecord('absences', drawn);
    }
  }
  // These absences are at the edges of the year, or have no end.
  const edges: readonly (readonly [number, string, string | null])[] = [
    [3, '2024-12-31T23:00:00Z', '2025-01-03T16:00:00Z'],
    [4, '2025-01-01T00:00:00Z', '2025-01-02T10:00:00Z'],
    [5, '2025-12-31T22:59:59Z', '2026-01-02T16:00:00Z'],
    [8, '2025-12-31T23:30:00Z', '2026-01-05T16:00:00Z'],
    [9, '2025-11-03T08:00:00Z', null],
    [6, '2025-06-02T04:00:00Z', null],
    [12, utcSecond(now - 3 * DAY), null],
  ];
  for (const [user, start, end] of edges) {
    const manager = all('users')[user - 1]?.['manager_id'] ?? null;
    addRecord('absences', {
      user_id: user,
      manager_id: manager,
      type: end === null ? 'parental' : 'vacation',
      start,
      end,
      status: 'approved',
    });
  }
  // These absences last whole days. One absence spans a clock change. The time zones are ahead of UTC, behind UTC, or the organisation’s
  // default.
  const wholeDays: readonly (readonly [number, string, string])[] = [
    [1, '2025-03-29', '2025-03-31'],
    [4, '2025-05-01', '2025-05-01'],
    [11, '2025-10-06', '2025-10-10'],
    [12, '2025-07-25', '2025-07-25'],
  ];
  for (const [user, first, last] of wholeDays) {
    const row = all('users')[user - 1];
    const zone = zoneOf(db, user);
    addRecord('absences', {
      user_id: user,
      manager_id: row?.['manager_id'] ?? null,
      type: 'vacation',
      start: utcSecond(dayStart(first, zone)),
      end: lastSecondOf(last, zone),
      [LAST_WHOLE_DAY]: last,
      status: 'approved',
    });
  }
  for (const year of [2025, 2026, 2027]) {
    for (const [date, name] of [
      ['01-01', 'New Year’s Day'],
      ['04-27', 'Koningsdag'],
      ['05-05', 'Liberation Day'],
      ['12-25', 'Christmas Day'],
      ['12-26', 'Boxing Day'],
    ] as const) {
      addRecord('holidays', { name, date: `${year}-${date}`, country_code: 'NL' });
    }
    addRecord('free-days', { name: 'Bridge day', date: `${year}-05-02`, user_id: null });
  }
  const random = randomFor('check-ins and events');
  for (const day of midnightsBetween(now - 30 * DAY, now)) {
    if (isWeekend(day)) continue;
    for (const user of [1, 2, 3])
      addRecord('checkins', {
        user_id: user,
        date: utcDate(day),
        mood: random.pick(['good', 'okay', 'bad']),
        is_at_office: random.chance(0.5),
      });
  }
  addRecord('furlough-balance-mutations', { user_id: 3, date: '2025-02-01', minutes: 480, reason: 'Start' });
  for (let i = 0; i < 20; i++) {
    const start = Math.floor(now / DAY) * DAY + (i - 10) * 2 * DAY + 9 * HOUR;
    addRecord('events', {
      title: random.pick(['Stand-up', 'Review', 'Customer visit 🤝', 'Lunch, "on us"']),
      start: utcSecond(start),
      end: utcSecond(start + HOUR),
      user_id: (i % 12) + 1,
    });
  }
}
