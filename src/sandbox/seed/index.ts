import { DAY } from '../dates.ts';
import type { SandboxState } from '../sandbox-state.ts';
import { seedBilling, seedCustomers, seedDrive } from './customers.ts';
import { seedLeave, seedPeople } from './people.ts';
import { seedConfiguration, seedProjects, seedTime } from './projects.ts';
import { createSeeding } from './seeding.ts';

/** Creates the initial tokens: for the default user, and for the first other manager, employee and contractor. */
export function seedTokens({ clock, db, defaultUserId, tokens }: SandboxState): void {
  const now = clock.now();
  const isReadyMade = true;
  const people = [...db.table('users').rows.values()];
  const firstOf = (role: string): number | undefined => people.find((user) => user['role'] === role && user.id !== defaultUserId)?.id;

  tokens.create({ isReadyMade, name: 'full', userId: defaultUserId, scopes: ['read', 'write', 'destroy'] }, now);
  tokens.create({ isReadyMade, name: 'read-only', userId: defaultUserId, scopes: ['read'] }, now);
  tokens.create({ isReadyMade, name: 'hours-only', userId: defaultUserId, scopes: ['read', 'write'], resources: ['times', 'hours'] }, now);
  for (const role of ['manager', 'employee', 'contractor']) {
    const userId = firstOf(role);
    if (userId === undefined) continue;
    tokens.create(
      { isReadyMade, name: role, userId, scopes: role === 'contractor' ? ['read', 'write'] : ['read', 'write', 'destroy'] },
      now,
    );
  }
  tokens.create({ isReadyMade, name: 'short-lived', userId: defaultUserId, scopes: ['read', 'write', 'destroy'], lifetime: DAY }, now);
}

export function seed(sandboxState: SandboxState): void {
  const garden = createSeeding(sandboxState);
  seedPeople(garden);
  seedConfiguration(garden);
  seedCustomers(garden);
  seedProjects(garden);
  seedTime(garden);
  seedLeave(garden);
  seedBilling(garden);
  seedDrive(garden);
  seedTokens(sandboxState);
}
