import { includeNames, relation } from '../api/include.ts';
import { hasLinks, isShown, type ServedView } from '../api/render.ts';
import { bodyTakes } from '../api/validate.ts';
import type { SandboxKnobs } from '../knobs.ts';
import type { JsonSchema, ServedField, ServedResource } from '../resources/define.ts';
import type { Components } from './components.ts';
import { type PathOf, shownSchema, takenSchema } from './field-schema.ts';
import { orNull } from './null.ts';

interface Properties {
  readonly properties: { [name: string]: JsonSchema };
  readonly required: string[];
}

/** A reference to the schema of a record in one view, named as discovery names it: `Absence`, `AbsenceSummary`. */
export function recordRef(components: Components, resource: ServedResource, view: ServedView, knobs: SandboxKnobs): JsonSchema {
  const name = view === 'detail' ? resource.schema : `${resource.schema}Summary`;
  return components.ref('schemas', name, () => viewSchema(components, resource, view, knobs));
}

function viewSchema(components: Components, resource: ServedResource, view: ServedView, knobs: SandboxKnobs): JsonSchema {
  const whole = viewProperties(components, resource, view, knobs);
  if (view === 'summary' || knobs.openapiSchemas === 'flat') return objectOf(whole);
  const summary = viewProperties(components, resource, 'summary', knobs);
  const isNew = (name: string, schema: JsonSchema): boolean => JSON.stringify(summary.properties[name]) !== JSON.stringify(schema);
  const more = {
    properties: Object.fromEntries(Object.entries(whole.properties).filter(([name, schema]) => isNew(name, schema))),
    required: whole.required.filter((name) => !summary.required.includes(name)),
  };
  return { allOf: [recordRef(components, resource, 'summary', knobs), objectOf(more)] };
}

function viewProperties(components: Components, resource: ServedResource, view: ServedView, knobs: SandboxKnobs): Properties {
  const shown: Properties = { properties: {}, required: [] };
  const { falseInSummary } = knobs;
  for (const [name, field] of Object.entries(resource.fields)) {
    const isThere = isShown(knobs, name, field, view, {});
    const isOnDemand = field.shown === 'demand';
    if (!isThere && !isOnDemand) continue;
    const isFickle = field.type === 'boolean' && view === 'summary' && falseInSummary !== 'sent';
    const nullable = field.nullable === true || (isFickle && falseInSummary === 'null');
    const schema = shownSchema({ ...field, nullable }, knobs, (to) => resource.other(to).path);
    shown.properties[name] = bodyTakes(field, knobs) ? schema : { ...schema, readOnly: true };
    const mayLack = isOnDemand || field.mayLack?.(knobs) === true || (isFickle && falseInSummary === 'left-out');
    if (!mayLack) shown.required.push(name);
  }
  for (const name of includeNames(resource, knobs)) {
    const found = relation(resource, name);
    if (found?.resource === undefined) continue;
    const record = recordRef(components, found.resource, 'summary', knobs);
    const schema: JsonSchema = found.many ? { type: 'array', items: record } : orNull(record);
    shown.properties[name] = { ...schema, readOnly: true, description: 'Shown when include names it.' };
  }
  if (hasLinks(resource, view, knobs)) {
    shown.properties['links'] = components.ref('schemas', 'RecordLinks', recordLinks);
    shown.required.push('links');
  }
  return shown;
}

function recordLinks(): JsonSchema {
  return objectOf({ properties: { self: { type: 'string', format: 'uri' } }, required: ['self'] });
}

/** The members of a body: those that bodies may name, and of a new record those that they must. */
export function bodySchema(
  fields: Readonly<Record<string, ServedField>>,
  kind: 'create' | 'update',
  knobs: SandboxKnobs,
  pathOf: PathOf,
  given?: string,
): JsonSchema {
  const taken = Object.entries(fields).filter(([, field]) => bodyTakes(field, knobs));
  const properties = Object.fromEntries(taken.map(([name, field]) => [name, takenSchema(field, kind, pathOf)]));
  const required = taken.flatMap(([name, { write }]) => (write === 'required' && name !== given ? name : []));
  // Any other member is refused with 422.
  return { ...objectOf({ properties, required: kind === 'create' ? required : [] }), additionalProperties: false };
}

/** An object of these properties; others may come. */
export function objectOf({ properties, required }: { readonly properties: JsonSchema; readonly required: readonly string[] }): JsonSchema {
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}
