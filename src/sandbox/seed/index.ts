import { DAY } from '../dates.ts';
import type { World } from '../world.ts';
import { plantConfiguration } from './configuration.ts';
import { plantBilling, plantCustomers } from './customers.ts';
import { plantDrive } from './drive.ts';
import { plantLeave } from './leave.ts';
import { plantPeople } from './people.ts';
import { createGarden } from './plant.ts';
import { plantProjects } from './projects.ts';
import { plantTime } from './time.ts';

/** Fills an empty sandbox with an organisation that could exist, and gives its people tokens to start with. */
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

  const { tokens } = world;
  const { now } = garden;
  tokens.create({ name: 'full', userId: 1, scopes: ['read', 'write', 'destroy'] }, now);
  tokens.create({ name: 'read-only', userId: 1, scopes: ['read'] }, now);
  tokens.create({ name: 'hours-only', userId: 1, scopes: ['read', 'write'], resources: ['times', 'hours'] }, now);
  tokens.create({ name: 'manager', userId: 2, scopes: ['read', 'write', 'destroy'] }, now);
  tokens.create({ name: 'employee', userId: 3, scopes: ['read', 'write', 'destroy'] }, now);
  tokens.create({ name: 'contractor', userId: 6, scopes: ['read', 'write'] }, now);
  tokens.create({ name: 'short-lived', userId: 1, scopes: ['read', 'write', 'destroy'], lifetime: DAY }, now);
}
