import { DAY } from '../dates.ts';
import type { World } from '../world.ts';
import { plantBilling, plantCustomers, plantDrive } from './customers.ts';
import { plantLeave, plantPeople } from './people.ts';
import { createGarden } from './plant.ts';
import { plantConfiguration, plantProjects, plantTime } from './projects.ts';

/** Creates the initial tokens: for the default user, and for the first user of each other role. */
export function plantTokens({ clock, db, defaultUserId, tokens }: World): void {
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

export function seed(world: World): void {
  const garden = createGarden(world);
  plantPeople(garden);
  plantConfiguration(garden);
  plantCustomers(garden);
  plantProjects(garden);
  plantTime(garden);
  plantLeave(garden);
  plantBilling(garden);
  plantDrive(garden);
  plantTokens(world);
}
