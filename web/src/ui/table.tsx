import type { ComponentChildren } from 'preact';

/** A column of a table. The cells of the first column are the headers of their rows. */
export interface Column<Row> {
  /** The heading; `Actions` is only for screen readers. */
  readonly label: string;
  /** Renders the cell of a row. */
  cell(row: Row): ComponentChildren;
  /** Columns of numbers are aligned. Words of a `long` column may break anywhere. */
  readonly kind?: 'number' | 'long';
  /** Whether a phone, which shows each cell as a line, omits the label. */
  readonly isBare?: boolean;
  /** Returns the tooltip of a cell. */
  title?(row: Row): string | undefined;
}

/** Creates the column with the buttons of each row. */
export function actionsColumn<Row>(cell: (row: Row) => ComponentChildren): Column<Row> {
  return { label: ACTIONS, isBare: true, cell };
}

const ACTIONS = 'Actions';

interface TableProps<Row> {
  /** The name of the table. */
  readonly caption: string;
  /** Whether the name is visible; by default it is only for screen readers. */
  readonly hasCaption?: boolean;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  keyOf(row: Row): string | number;
  /** The classes of the table. On a phone, each row of a `stack` is a block. */
  readonly look?: string | undefined;
}

/** A table with a row for each item. */
export function Table<Row>(props: TableProps<Row>) {
  const { caption, hasCaption = false, columns, rows, keyOf, look = 'stack' } = props;
  return (
    <table class={look || undefined}>
      <caption class={hasCaption ? undefined : 'sr-only'}>{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ label, kind }) => (
            <th key={label} scope="col" class={kind === 'number' ? kind : undefined}>
              {label === ACTIONS ? <span class="sr-only">{label}</span> : label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map((column, index) => (
              <Cell key={column.label} column={column} row={row} isHeading={index === 0} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface CellProps<Row> {
  readonly column: Column<Row>;
  readonly row: Row;
  readonly isHeading: boolean;
}

function Cell<Row>({ column, row, isHeading }: CellProps<Row>) {
  const { label, kind, isBare = false, cell, title } = column;
  const shared = { class: kind, title: title?.(row), children: cell(row) };
  if (isHeading) return <th scope="row" {...shared} />;
  return <td {...shared} data-label={isBare ? undefined : label} />;
}
