/** One way in which a tenant is not the documented service. */
export interface TenantChange {
  readonly kind: 'added' | 'removed' | 'renamed';
  readonly what: 'resource' | 'field' | 'filter' | 'sort' | 'include' | 'value' | 'action';
  /** The path of the collection, without the slash, as the tenant has it; of one that is gone, as it was. */
  readonly resource: string;
  /** Of the field, filter, sort, include, action or value; absent of a resource. */
  readonly name?: string;
  /** What it was called; of a value, the field that has it. */
  readonly was?: string;
}
