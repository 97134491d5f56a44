import { type ListRow, listedCard } from './rows.ts';

const COLUMNS = [
  'line',
  'text',
  'status',
  'card',
  'name',
  'set code',
  'number',
  'printing',
  'grade',
  'quantity',
  'market',
  'reasons',
] as const;

/** Returns the rows as CSV with a header; a card that the reader chose has the status `chosen`. */
export function listCsv(rows: readonly ListRow[]): string {
  return [COLUMNS, ...rows.map(cellsOf)].map(csvLine).join('');
}

function cellsOf(row: ListRow): readonly unknown[] {
  const { number, text, answer, chosen } = row;
  const card = listedCard(row);
  return [
    number,
    text,
    chosen ? 'chosen' : answer.status,
    ...[card?.id, card?.name, card?.setCode, card?.number],
    ...[card?.printing, card?.grade, card?.quantity, card?.price],
    (chosen ?? answer).reasons.join(' '),
  ];
}

function csvLine(cells: readonly unknown[]): string {
  return `${cells.map((cell) => quoted(harmless(String(cell ?? '')))).join(',')}\r\n`;
}

/** Lists come from others, and spreadsheets take some texts for formulas. */
function harmless(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}

function quoted(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
