/** One difference between a tenant and the documented service. */
export interface TenantChange {
  readonly kind: 'added' | 'removed' | 'renamed';
  readonly what: 'resource' | 'field' | 'filter' | 'sort' | 'include' | 'value' | 'action';
  /** The path of the list without the slash, by the tenant’s name. For a removed resource, by its earlier name. */
  readonly resource: string;
  /** The name of the field, filter, sort, include, action or value. Undefined for a resource. */
  readonly name?: string;
  /** The earlier name. For a value, the field that has the value. */
  readonly was?: string;
}
