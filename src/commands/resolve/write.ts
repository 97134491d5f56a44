import { type CsvCell, type CsvOptions, csvLine } from '../../domain/csv.ts';
import type { Answer, AnsweredRow } from './answers.ts';

/** The formats of answers. */
export const OUTPUT_FORMATS = ['csv', 'ndjson'] as const;

export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

/** The members of an answer in dollars, in the order of their columns. */
const MEMBERS = [
  'line',
  'status',
  'card',
  'name',
  'set',
  'number',
  'printing',
  'quantity',
  'condition',
  'grade',
  'language',
  'confidence',
  'market',
  'reasons',
  'candidates',
  'product',
] as const satisfies Members;

type Members = readonly (keyof Answer)[];

export interface WriteOptions extends CsvOptions {
  readonly format: OutputFormat;
  /** Whether the last column is the currency of the price. */
  readonly hasCurrency?: boolean;
}

/** Writes each row with its answer. `columns` are the columns of the input. */
export async function* writeAnswers(
  answered: AsyncIterable<AnsweredRow>,
  columns: readonly string[],
  { format, hasCurrency = false, ...options }: WriteOptions,
): AsyncGenerator<string> {
  const members = hasCurrency ? [...MEMBERS, 'currency' as const] : MEMBERS;
  if (format === 'csv') yield csvLine([...columns, ...answerColumns(columns, members)], options);
  for await (const row of answered) {
    const cells = () => cellsOf(row, columns.length, members);
    yield format === 'csv' ? csvLine(cells(), options) : jsonLine(row, columns);
  }
}

/** Returns `resolved.status` and so on, or other names if the input already has these columns. */
function answerColumns(columns: readonly string[], members: Members): string[] {
  const prefix = freeName('resolved', (name) => columns.some((one) => one.startsWith(`${name}.`)));
  return members.map((member) => `${prefix}.${member}`);
}

/** Returns the name, or the first of `name2`, `name3` and so on that is not taken. */
function freeName(name: string, isTaken: (name: string) => boolean): string {
  let free = name;
  for (let count = 2; isTaken(free); count += 1) free = `${name}${count}`;
  return free;
}

function cellsOf({ row, answer }: AnsweredRow, width: number, members: Members): CsvCell[] {
  const own = Array.from({ length: width }, (_, place) => row.cells[place]);
  return [...own, ...members.map((member) => answerCell(answer, member))];
}

function answerCell(answer: Answer, member: keyof Answer): CsvCell {
  if (member === 'reasons') return answer.reasons.join(' ');
  if (member === 'candidates') return answer.candidates.map(candidateText).join(' | ');
  return answer[member];
}

function candidateText(candidate: Answer['candidates'][number]): string {
  const { card, product, name, set, number } = candidate;
  return `${card ?? product}: ${name}, ${set}${number === null ? '' : `, ${number}`}`;
}

function jsonLine({ row, answer }: AnsweredRow, columns: readonly string[]): string {
  const own = row.members ?? membersOf(columns, row.cells);
  const resolved = freeName('resolved', (name) => Object.hasOwn(own, name));
  return `${JSON.stringify({ ...own, [resolved]: answer })}\n`;
}

/** Returns the cells by column. Columns without a name or with the same name get distinct ones. */
function membersOf(columns: readonly string[], cells: readonly string[]): Record<string, string> {
  const members: Record<string, string> = {};
  for (const [place, column] of columns.entries()) {
    const name = freeName(column || `column ${place + 1}`, (one) => Object.hasOwn(members, one));
    members[name] = cells[place] ?? '';
  }
  return members;
}
