/** A value of an option. */
type KnobValue = boolean | number | string;

/** Options by their names, each with its values; the first value is the default. */
export type KnobTable = Readonly<Record<string, readonly [KnobValue, ...KnobValue[]]>>;

/** One value for each option of a table. */
export type Turned<T extends KnobTable> = { -readonly [K in keyof T]: T[K][number] };
