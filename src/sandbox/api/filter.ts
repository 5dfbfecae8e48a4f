import { isDate, isUtcSecond } from '../dates.ts';
import type { Interpretations } from '../interpretations.ts';
import type { Json, Row } from '../json.ts';
import { badParameter, missingPermission, type Problem, unsupportedParameter } from '../problem.ts';
import { type Actor, type Operator, type ServedField, type ServedResource, storedName, takenType } from '../resources/define.ts';
import type { Call } from './call.ts';

/** The documented filters by resource. For absences, the documentation shows all filters of the sandbox. */
const DOCUMENTED_FILTERS: Readonly<Record<string, 'all' | readonly string[]>> = {
  absences: 'all',
  'workflow-transitions': ['from_status_id'],
};

const DOCUMENTED_INCLUDES: Readonly<Record<string, readonly string[]>> = {
  'work-items': ['assignee', 'sprint', 'comments', 'drive_items', 'labels', 'subtasks'],
  'drive-documents': ['content_html'],
};

const HOURS = ['worklogs', 'timers'];
const HOURS_FILTERS = ['date', 'user_id', 'project_id'];

export function takesFilter(interpretations: Interpretations, { name }: ServedResource, field: string): boolean {
  const documented = DOCUMENTED_FILTERS[name];
  if (documented === 'all' || documented?.includes(field) === true) return true;
  if (!HOURS.includes(name) || !HOURS_FILTERS.includes(field)) return interpretations.otherFilters === 'taken';
  return interpretations.hoursFilters === 'taken' || (interpretations.hoursFilters === 'by-date' && field === 'date');
}

export function takesSort(interpretations: Interpretations, field: string): boolean {
  return field === 'id' || interpretations.assumedSorts === 'taken';
}

export function takesInclude(interpretations: Interpretations, { name }: ServedResource, relation: string): boolean {
  if (DOCUMENTED_INCLUDES[name]?.includes(relation) === true) return true;
  return interpretations.assumedIncludes === 'taken' || (interpretations.assumedIncludes === 'not-of-worklogs' && name !== 'worklogs');
}

/**
 * Returns the problem for a refused parameter. The option `refusalType` decides the type of the problem.
 * @param kind what the sandbox refuses: the parameter itself, or its value. Only the option value `by-kind` distinguishes these cases.
 */
export function refusal({ refusalType }: Interpretations, kind: 'parameter' | 'value', parameter: string, detail: string): Problem {
  const isUnsupported = refusalType === 'by-kind' ? kind === 'parameter' : refusalType === 'unsupported-parameter';
  return isUnsupported ? unsupportedParameter(parameter, detail) : badParameter(parameter, 'in', detail);
}

export const LONGEST_LIST = 100;

export type Predicate = (row: Row) => boolean;

interface Asker {
  readonly actor: Actor;
  readonly interpretations: Interpretations;
  readonly resource: ServedResource;
}

export function operatorsOf(field: ServedField): readonly Operator[] {
  if (field.filter === undefined) return [];
  if (field.filter !== true) return field.filter;
  const empty: readonly Operator[] = field.nullable === true ? ['null'] : [];
  switch (field.type) {
    case 'datetime':
      return ['gte', 'lt', ...empty];
    case 'date':
    case 'integer':
    case 'minutes':
      return ['gte', 'lt', 'lte', 'in', ...empty];
    case 'boolean':
      return [];
    default:
      return ['in', ...empty];
  }
}

/**
 * Reads a filter, and returns a test for rows.
 * @throws Problem 400 that names the parameter, for an unknown filter or an invalid value.
 * @throws Problem 403 for a filter by other users without the permission.
 */
export function parseFilter(resource: ServedResource, parameter: string, value: string, { actor, sandboxState }: Call): Predicate {
  const { db, interpretations, origin } = sandboxState;
  const asker: Asker = { actor, interpretations, resource };
  const match = /^filter\[([a-z_0-9]+)\](?:\[([a-z]+)\])?$/.exec(parameter);
  const name = match?.[1] ?? '';
  const operator = match?.[2] ?? 'eq';
  const field = Object.hasOwn(resource.fields, name) ? resource.fields[name] : undefined;
  if (
    field?.filter === undefined ||
    (operator !== 'eq' && !operatorsOf(field).some((known) => known === operator)) ||
    !takesFilter(interpretations, resource, storedName(name, field))
  ) {
    throw refusal(interpretations, 'parameter', parameter, `The parameter ${parameter} is not known here.`);
  }
  const around = { db, interpretations, origin };
  const { compared } = field;
  const storedAs = storedName(name, field);
  const valueIn = (row: Row): Json => (compared === undefined ? (row[storedAs] ?? null) : compared(row, around));
  if (operator === 'null') {
    const wanted = booleanOf(parameter, value, interpretations);
    return (row) => (valueIn(row) === null) === wanted;
  }
  const read = (text: string): Json => wireValue(parameter, storedAs, field, text, asker);
  if (operator === 'in') {
    const texts = value.split(',');
    if (texts.length > LONGEST_LIST) throw badParameter(parameter, 'out_of_range', `${parameter} takes at most ${LONGEST_LIST} values.`);
    const wanted = new Set(texts.map(read));
    refuseOthers(field, wanted, actor);
    return (row) => wanted.has(valueIn(row));
  }
  const wanted = read(value);
  if (operator === 'eq') {
    refuseOthers(field, new Set([wanted]), actor);
    return (row) => valueIn(row) === wanted;
  }
  return comparison(valueIn, operator, wanted);
}

function comparison(valueIn: (row: Row) => Json, operator: string, wanted: Json): Predicate {
  // Dates and date-times have a fixed form, so the order of the texts is the order of the times. A row without a value never matches a
  // range.
  const compare = (row: Row): number | undefined => {
    const value = valueIn(row);
    if (value === null || wanted === null) return undefined;
    return value < wanted ? -1 : value > wanted ? 1 : 0;
  };
  const fits: (order: number) => boolean =
    operator === 'gte' ? (order) => order >= 0 : operator === 'lt' ? (order) => order < 0 : (order) => order <= 0;
  return (row) => {
    const order = compare(row);
    return order !== undefined && fits(order);
  };
}

function wireValue(parameter: string, name: string, field: ServedField, text: string, { actor, interpretations, resource }: Asker): Json {
  switch (takenType(field, interpretations)) {
    case 'reference':
      if (text === 'me' && field.to === 'users' && takesMe(interpretations, resource, name)) return actor.user.id;
      return integerOf(parameter, text);
    case 'integer':
    case 'minutes':
    case 'percent':
      return integerOf(parameter, text);
    case 'boolean':
      return booleanOf(parameter, text, interpretations);
    case 'date':
      if (!isDate(text)) throw badParameter(parameter, 'invalid_format', `${parameter} takes a date as YYYY-MM-DD, not ${text}.`);
      return text;
    case 'datetime':
      if (!isUtcSecond(text))
        throw badParameter(parameter, 'invalid_format', `${parameter} takes a date-time as YYYY-MM-DDTHH:MM:SSZ, not ${text}.`);
      return text;
    case 'enum':
      if (field.values?.includes(text) !== true) {
        throw badParameter(parameter, 'invalid_format', `${parameter} takes ${field.values?.join(', ') ?? 'other values'}, not ${text}.`);
      }
      return text;
    default:
      return text;
  }
}

function integerOf(parameter: string, text: string): number {
  if (!/^-?\d{1,15}$/.test(text)) throw badParameter(parameter, 'invalid_format', `${parameter} takes whole numbers, not ${text}.`);
  return Number(text);
}

const WORDS = ['true', 'false'];
const DIGITS = ['1', '0'];
export const BOOLEANS = { words: WORDS, digits: DIGITS, both: [...WORDS, ...DIGITS] } as const;

function booleanOf(parameter: string, text: string, { booleans }: Interpretations): boolean {
  const taken = BOOLEANS[booleans];
  if (!taken.includes(text)) throw badParameter(parameter, 'invalid_format', `${parameter} takes ${taken.join(' or ')}, not ${text}.`);
  return text === 'true' || text === '1';
}

/** Returns true if `me` means the user’s own id in this filter. The documentation shows `me` for one filter only (rule 9.26). */
export function takesMe(interpretations: Interpretations, resource: ServedResource, field: string): boolean {
  return interpretations.me === 'everywhere' || (resource.name === 'absences' && field === 'user_id');
}

function refuseOthers(field: ServedField, wanted: ReadonlySet<Json>, actor: Actor): void {
  if (field.filterOthers === undefined || actor.may(field.filterOthers)) return;
  for (const id of wanted) if (id !== actor.user.id) throw missingPermission(field.filterOthers);
}
