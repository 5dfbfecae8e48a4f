import { authoredBy } from './authored-by.ts';
import { type DefinedResource, defineResource } from './define.ts';
import { flag, moment, ref, text } from './fields.ts';

export const planning: readonly DefinedResource[] = [
  defineResource('events', {
    schema: 'Event',
    prefixes: ['events'],
    softDelete: true,
    defaultSort: 'start',
    search: ['title', 'location'],
    fields: {
      title: { type: 'string', write: 'required', sort: true },
      start: { ...moment, nullable: false, write: 'required' },
      end: moment,
      is_all_day: flag,
      location: text,
      user_id: ref('users'),
      project_id: ref('projects'),
    },
    prepare: authoredBy,
  }),
];
