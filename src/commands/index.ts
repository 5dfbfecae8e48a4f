import { CATALOG } from '../catalog/index.ts';
import type { CommandEntry, CommandSpec } from './define.ts';

const RESOURCES = 'Resources';
const SIGN_IN = 'Signing in';
const SERVICE = 'The service';
const TOOL = 'This tool';

/** Commands that are no resource, in the order in which help lists them. */
const COMMANDS: readonly CommandEntry[] = [
  { name: 'login', summary: 'Sign in with the browser', group: SIGN_IN, load: async () => (await import('./login.ts')).login },
  {
    name: 'logout',
    summary: 'Sign out: revoke at the service, then forget',
    group: SIGN_IN,
    load: async () => (await import('./logout.ts')).logout,
  },
  {
    name: 'auth',
    summary: 'Sign-ins: status, switch, refresh, print a token',
    group: SIGN_IN,
    load: async () => (await import('./auth.ts')).auth,
  },
  {
    name: 'token',
    summary: 'The personal access token, needed to delete',
    group: SIGN_IN,
    load: async () => (await import('./token.ts')).token,
  },
  { name: 'me', summary: 'Who you are signed in as', group: SERVICE, load: async () => (await import('./me.ts')).me },
  {
    name: 'resources',
    summary: 'What your organisation has',
    group: SERVICE,
    load: async () => (await import('./resources.ts')).resources,
  },
  { name: 'limits', summary: 'How much of the rate limit is left', group: SERVICE, load: async () => (await import('./limits.ts')).limits },
  { name: 'open', summary: 'Open a record in the browser', group: SERVICE, load: async () => (await import('./open.ts')).open },
  { name: 'api', summary: 'Send any request, signed in', group: SERVICE, load: async () => (await import('./api.ts')).api },
  {
    name: 'config',
    summary: 'Settings: default host, output, time zone …',
    group: TOOL,
    load: async () => (await import('./config.ts')).config,
  },
  {
    name: 'doctor',
    summary: 'Check that everything svc needs is in order',
    group: TOOL,
    load: async () => (await import('./doctor.ts')).doctor,
  },
  {
    name: 'sandbox',
    summary: 'Run the service on this machine, to try things on',
    group: TOOL,
    load: async () => (await import('./sandbox.ts')).sandbox,
  },
];

const resourceEntries: readonly CommandEntry[] = CATALOG.map((resource) => ({
  name: resource.noun,
  aliases: [resource.singular],
  summary: resource.summary,
  group: RESOURCES,
  load: async () => (await import('./resource/index.ts')).resourceCommand(resource),
}));

/** The whole tree. */
export const ROOT: CommandSpec = {
  name: 'svc',
  summary: 'Project work, time, billing, leave and planning, from the command line',
  commands: [...resourceEntries, ...COMMANDS],
  examples: [
    { args: 'login acme.example.com', does: 'Sign in' },
    { args: 'worklogs add --minutes 1h30 --description "Review"', does: 'Log an hour and a half, today' },
    { args: 'absences list --year 2025 --output csv > absences.csv', does: 'A year of absences, for a spreadsheet' },
  ],
};
