import { authoredBy } from './authored-by.ts';
import { type DefinedResource, defineServedResource } from './define.ts';
import { flag, moment, ref, textField } from './fields.ts';

export const planning: readonly DefinedResource[] = [
  defineServedResource('events', {
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
      location: textField,
      user_id: ref('users'),
      project_id: ref('projects'),
    },
    prepare: authoredBy,
  }),
];
