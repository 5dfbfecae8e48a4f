import type { SandboxKnobs } from '../knobs.ts';
import { badParameter, type Problem, unsupportedParameter } from '../problem.ts';
import type { ServedResource } from '../resources/define.ts';

/** Filters that the documentation shows, by resource; of absences it shows every one that the sandbox has. */
const DOCUMENTED_FILTERS: Readonly<Record<string, 'all' | readonly string[]>> = {
  absences: 'all',
  'workflow-transitions': ['from_status_id'],
};

/** Includes that the documentation shows. */
const DOCUMENTED_INCLUDES: Readonly<Record<string, readonly string[]>> = {
  'work-items': ['assignee', 'sprint', 'comments', 'drive_items', 'labels', 'subtasks'],
  'drive-documents': ['content_html'],
};

const HOURS = ['worklogs', 'timers'];
/** Filters that the documentation shows for hours. */
const HOURS_FILTERS = ['date', 'user_id', 'project_id'];

/** Whether the collection can be filtered by this field, of those that have a filter at all. */
export function takesFilter(knobs: SandboxKnobs, { name }: ServedResource, field: string): boolean {
  const documented = DOCUMENTED_FILTERS[name];
  if (documented === 'all' || documented?.includes(field) === true) return true;
  if (!HOURS.includes(name) || !HOURS_FILTERS.includes(field)) return knobs.otherFilters === 'taken';
  return knobs.hoursFilters === 'taken' || (knobs.hoursFilters === 'by-date' && field === 'date');
}

/** Whether the collection can be sorted by this field, of those that sort at all. */
export function takesSort(knobs: SandboxKnobs, field: string): boolean {
  return field === 'id' || knobs.assumedSorts === 'taken';
}

/** Whether the resource's records can be had with this relation. */
export function takesInclude(knobs: SandboxKnobs, { name }: ServedResource, relation: string): boolean {
  if (DOCUMENTED_INCLUDES[name]?.includes(relation) === true) return true;
  return knobs.assumedIncludes === 'taken' || (knobs.assumedIncludes === 'not-of-worklogs' && name !== 'worklogs');
}

/**
 * The problem of a filter, sort or include that is not taken.
 * @param kind What it is refused for when nothing else is wanted: the parameter itself, or its value.
 */
export function refusal({ refusalType }: SandboxKnobs, kind: 'parameter' | 'value', parameter: string, detail: string): Problem {
  const isUnsupported = refusalType === 'by-kind' ? kind === 'parameter' : refusalType === 'unsupported-parameter';
  return isUnsupported ? unsupportedParameter(parameter, detail) : badParameter(parameter, 'in', detail);
}
