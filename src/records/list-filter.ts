import type { FieldKind } from '../catalog/define.ts';

/** A filter of one `list`. */
export interface ListFilter {
  readonly field: string;
  readonly operator: string | undefined;
  /** As it is sent. */
  readonly value: string;
  readonly kind: FieldKind;
  /** Not documented: if the service refuses it, svc may filter the rows itself. */
  readonly assumed: boolean;
  /** The flag that it was typed with: `--project`. */
  readonly flag: string;
}

/** `filter[field]` or `filter[field][operator]`. */
export function filterName({ field, operator }: Pick<ListFilter, 'field' | 'operator'>): string {
  return operator === undefined ? `filter[${field}]` : `filter[${field}][${operator}]`;
}
