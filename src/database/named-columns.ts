/** The columns that name a record, best first. */
const LABELS = ['name', 'title', 'issue_key', 'number'] as const;

interface NamedTable {
  readonly name: string;
  readonly columns: readonly { readonly name: string }[];
}

/** A column that contains ids of another stored table. */
export interface TableReference<Table extends NamedTable = NamedTable> {
  readonly column: string;
  readonly to: Table;
}

/** A column of the view `<table>_named`: the names of the records whose ids are in another column. */
export interface NamedColumn {
  readonly shown: string;
  readonly column: string;
  readonly table: string;
  /** The column of `table` with the names. */
  readonly label: string;
}

/** Returns the name columns that `<table>_named` has beside the id columns of a table. */
export function namedColumns({ columns }: NamedTable, references: readonly TableReference[]): readonly NamedColumn[] {
  const taken = new Set(columns.map(({ name }) => name));
  return references.flatMap(({ column, to }) => {
    const label = LABELS.find((each) => to.columns.some(({ name }) => name === each));
    const short = column.replace(/_id$/, '');
    const shown = [short, `${short}_name`].find((each) => !taken.has(each));
    if (label === undefined || shown === undefined) return [];
    taken.add(shown);
    return [{ shown, column, table: to.name, label }];
  });
}
