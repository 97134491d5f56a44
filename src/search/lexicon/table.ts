import { readFileSync } from 'node:fs';
import { GAME_SLUGS, type GameSlug } from '../../domain/games.ts';
import { packageFile } from '../../lib/package-file.ts';

/** The cells of a row, by the names of their columns. */
export type Cells<Column extends string> = Readonly<Record<Column, string>>;

/**
 * Reads a table from `data/words/` and returns the result of `read` for each row. The README of
 * that folder describes the format.
 *
 * @throws Error with the file and the line of the first invalid row.
 */
export function readTable<Column extends string, Row>(
  file: string,
  columns: readonly Column[],
  read: (cells: Cells<Column>) => Row,
): Row[] {
  const path = `data/words/${file}`;
  return parseTable(path, readFileSync(packageFile(path), 'utf8'), columns, read);
}

/** Parses the text of a table like {@link readTable}. `path` appears in error messages. */
export function parseTable<Column extends string, Row>(
  path: string,
  text: string,
  columns: readonly Column[],
  read: (cells: Cells<Column>) => Row,
): Row[] {
  const rows: Row[] = [];
  const header = columns.join('\t');
  for (const [index, line] of text.split('\n').entries()) {
    try {
      if (index === 0 && line !== header) throw new Error(`the header must be \`${header}\``);
      if (index === 0 || line === '' || line.startsWith('# ')) continue;
      rows.push(read(cellsOf(line, columns)));
    } catch (error) {
      throw new Error(`${path}:${index + 1}: ${error instanceof Error ? error.message : error}`);
    }
  }
  return rows;
}

function cellsOf<Column extends string>(line: string, columns: readonly Column[]): Cells<Column> {
  const cells = line.split('\t');
  if (cells.length !== columns.length) {
    throw new Error(`${cells.length} cells, but ${columns.length} columns`);
  }
  const untrimmed = cells.find((cell) => cell !== cell.trim());
  if (untrimmed !== undefined) throw new Error(`spaces around \`${untrimmed}\``);
  return Object.fromEntries(columns.map((column, i) => [column, cells[i]])) as Cells<Column>;
}

/** Returns the items of a comma-separated cell. */
export function listed(cell: string): string[] {
  return cell
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** Reads the slug of a game. */
export function readGame(cell: string): GameSlug {
  const game = GAME_SLUGS.find((slug) => slug === cell);
  if (!game) throw new Error(`no game \`${cell}\``);
  return game;
}

/** Reads a cell of games: a list, all but one (`-mtg`), or undefined for all games. */
export function readGames(cell: string): readonly GameSlug[] | undefined {
  if (cell === '') return undefined;
  if (!cell.startsWith('-')) return listed(cell).map(readGame);
  const other = readGame(cell.slice(1));
  return GAME_SLUGS.filter((slug) => slug !== other);
}

/** Returns a cell that must not be empty. */
export function required(cell: string, column: string): string {
  if (cell === '') throw new Error(`no ${column}`);
  return cell;
}
