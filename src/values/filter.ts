import { UsageError } from '../errors.ts';
import { quote } from './quote.ts';

/** One `--filter`: `filter[field]=value`, or `filter[field][operator]=value`. */
export interface FilterExpression {
  readonly field: string;
  /** Absent for equality. */
  readonly operator?: string;
  /** As typed, perhaps empty; the field’s kind decides how to read it. */
  readonly value: string;
}

/**
 * Reads `field=value` or `field.operator=value`; the first `=` ends the name, so a value may have more.
 *
 * @throws UsageError for a text of another form.
 */
export function parseFilterExpression(text: string): FilterExpression {
  const [, field, operator, value] = /^\s*([a-z]\w*)(?:\.([a-z]\w*))?\s*=(.*)$/is.exec(text) ?? [];
  if (field === undefined || value === undefined) {
    const why = text.includes('=')
      ? `${quote(text.slice(0, text.indexOf('=')))} is not a field to filter by.`
      : `${quote(text)} has no "=".`;
    throw new UsageError(`Filter: ${why}`, {
      hint: 'Write <field>=<value> or <field>.<operator>=<value>, for example start.gte=2025-01-01 or user_id=me.',
    });
  }
  return operator === undefined ? { field, value } : { field, operator, value };
}
