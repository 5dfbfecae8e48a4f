import type { World } from '../world.ts';
import { plantConfiguration } from './configuration.ts';
import { plantBilling, plantCustomers } from './customers.ts';
import { plantDrive } from './drive.ts';
import { plantLeave } from './leave.ts';
import { plantPeople } from './people.ts';
import { createGarden } from './plant.ts';
import { plantProjects } from './projects.ts';
import { plantTime } from './time.ts';
import { plantTokens } from './tokens.ts';

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
  plantTokens(world);
}
