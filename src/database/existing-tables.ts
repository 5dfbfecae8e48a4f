export interface ExistingTable {
  readonly table: string;
  /** The types of the columns by name, in the spelling of the database. */
  readonly columns: ReadonlyMap<string, string>;
}

export type ExistingTables = ReadonlyMap<string, ExistingTable>;

export interface ExistingColumn {
  readonly noun: string;
  readonly table: string;
  readonly name: string;
  readonly type: string;
}

export function tablesOf(columns: readonly ExistingColumn[]): ExistingTables {
  const byNoun = [...Map.groupBy(columns, ({ noun }) => noun)];
  const typesOf = (own: readonly ExistingColumn[]) => new Map(own.map(({ name, type }) => [name, type]));
  return new Map(byNoun.map(([noun, own]) => [noun, { table: own[0]?.table ?? noun, columns: typesOf(own) }]));
}
