import type { DatabaseOwner, TableCheck } from '../../src/database/local-database.ts';
import type { TableShape } from '../../src/database/table-shape.ts';

export const OWNER: DatabaseOwner = { host: 'acme.example.com', user: 1 };

export const SHAPE: TableShape = {
  noun: 'things',
  columns: [
    { name: 'id', type: 'INTEGER' },
    { name: 'name', type: 'TEXT' },
    { name: 'project_id', type: 'INTEGER' },
    { name: 'is_open', type: 'BOOLEAN' },
    { name: 'tags', type: 'JSON TEXT' },
    { name: 'date', type: 'TEXT', holds: 'day' },
    { name: 'price', type: 'TEXT', holds: 'decimal' },
    { name: 'created_at', type: 'TEXT', holds: 'moment' },
    { name: 'updated_at', type: 'TEXT', holds: 'moment' },
  ],
};

export const CHECK: TableCheck = { path: '/things', as_of: '2026-06-01T00:00:00Z', whole_at: '2026-06-01T00:00:00Z', known_by: 'read' };
