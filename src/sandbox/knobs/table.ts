/** What a knob may be turned to. */
type KnobValue = boolean | number | string;

/** Knobs by their names, each with what it may be turned to; the first value is the default. */
export type KnobTable = Readonly<Record<string, readonly [KnobValue, ...KnobValue[]]>>;

/** A position for each knob of a table. */
export type Turned<T extends KnobTable> = { -readonly [K in keyof T]: T[K][number] };
