import type { Json } from '../json.ts';
import type { Garden } from './plant.ts';

interface Person {
  readonly name: string;
  readonly email: string;
  readonly job: string;
  readonly role: 'admin' | 'manager' | 'employee' | 'contractor';
  readonly timezone: string | null;
  /** Index into this list; null: nobody. */
  readonly manager: number | null;
  readonly branch: number;
  readonly hours: Json;
}

const WORKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'] as const;

function week(start: string, end: string, free: readonly string[] = []): Json {
  const days: { [day: string]: Json } = { saturday: null, sunday: null };
  for (const day of WORKDAYS) days[day] = free.includes(day) ? null : { start, end };
  return days;
}

/** The first person signs in when nobody else is chosen. Names are as awkward as real ones. */
const PEOPLE: readonly Person[] = [
  {
    name: 'Sanne de Vries',
    email: 'sanne',
    job: 'Managing director',
    role: 'admin',
    timezone: 'Europe/Amsterdam',
    manager: null,
    branch: 1,
    hours: week('09:00', '17:00'),
  },
  {
    name: 'Olumide Adeyemi',
    email: 'olumide',
    job: 'Head of delivery',
    role: 'manager',
    timezone: 'Africa/Lagos',
    manager: 0,
    branch: 2,
    hours: week('08:30', '16:30'),
  },
  {
    name: 'Zoë Müller-Lüdenscheidt',
    email: 'zoe',
    job: 'Designer',
    role: 'employee',
    timezone: 'Europe/Berlin',
    manager: 1,
    branch: 1,
    hours: week('09:00', '17:00', ['wednesday']),
  },
  {
    name: 'Nguyễn Thị Hương',
    email: 'huong',
    job: 'Engineer',
    role: 'employee',
    timezone: 'Asia/Ho_Chi_Minh',
    manager: 1,
    branch: 3,
    hours: week('08:00', '17:00'),
  },
  {
    name: '田中 陽子',
    email: 'yoko',
    job: 'Engineer',
    role: 'employee',
    timezone: 'Asia/Tokyo',
    manager: 1,
    branch: 3,
    hours: week('10:00', '18:00'),
  },
  {
    name: 'أحمد المنصوري',
    email: 'ahmed',
    job: 'Consultant',
    role: 'contractor',
    timezone: 'Asia/Dubai',
    manager: null,
    branch: 2,
    hours: null,
  },
  {
    name: 'Siobhán O’Brien',
    email: 'siobhan',
    job: 'Project manager',
    role: 'manager',
    timezone: 'Europe/Dublin',
    manager: 0,
    branch: 1,
    hours: week('09:30', '17:30'),
  },
  {
    name: 'Łukasz Wiśniewski',
    email: 'lukasz',
    job: 'Engineer',
    role: 'employee',
    timezone: 'Europe/Warsaw',
    manager: 6,
    branch: 1,
    hours: week('07:00', '15:00'),
  },
  {
    name: 'María José García Pérez',
    email: 'mariajose',
    job: 'Analyst, "numbers & words"',
    role: 'employee',
    timezone: 'America/Bogota',
    manager: 6,
    branch: 2,
    hours: week('08:00', '16:00', ['monday', 'friday']),
  },
  {
    name: 'Ravi Krishnamurthy',
    email: 'ravi',
    job: 'Engineer',
    role: 'employee',
    timezone: 'Asia/Kolkata',
    manager: 6,
    branch: 3,
    hours: week('10:00', '19:00'),
  },
  {
    name: 'Anaïs N’Diaye',
    email: 'anais',
    job: 'Bookkeeper',
    role: 'employee',
    timezone: null,
    manager: 0,
    branch: 1,
    hours: week('09:00', '13:00'),
  },
  {
    name: 'Mike "Mick" <Smith>, Jr.',
    email: 'mike',
    job: 'Support',
    role: 'employee',
    timezone: 'America/St_Johns',
    manager: null,
    branch: 2,
    hours: null,
  },
];

/** Branches first, then people, so that each can name the other. */
export function plantPeople({ plant }: Garden): void {
  const branches = [
    { name: 'Amsterdam', address: 'Keizersgracht 12', city: 'Amsterdam', country_code: 'NL', latitude: '52.3728', longitude: '4.8936' },
    { name: 'Lagos', address: '4 Broad Street', city: 'Lagos', country_code: 'NG', latitude: '6.4530556', longitude: '3.3958333' },
    { name: 'Tōkyō 東京', address: '丸の内 1-9-1', city: '東京', country_code: 'JP', latitude: null, longitude: null },
  ];
  for (const branch of branches) plant('company-branches', branch);
  for (const { name, email, job, role, timezone, manager, branch, hours } of PEOPLE) {
    const [first = name, ...rest] = name.split(' ');
    plant('users', {
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
