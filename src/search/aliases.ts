import Papa from 'papaparse';
import { OperatorError } from '../domain/errors.ts';
import { GAME_SLUGS, type GameSlug } from '../domain/games.ts';
import { foldWords } from '../domain/text.ts';
import { readGame, readTable, required } from './lexicon/table.ts';

/** A nickname of a card, such as `moonbreon`. */
export interface Alias {
  readonly game: GameSlug;
  readonly alias: string;
  /** The query that the alias means, in words of the name, the set and the number. */
  readonly means: string;
}

/** The built-in aliases. docs/search.md describes them. */
export const ALIASES: readonly Alias[] = readTable(
  'aliases.tsv',
  ['game', 'alias', 'means'],
  ({ game, alias, means }) => ({
    game: readGame(game),
    alias: required(alias, 'alias'),
    means: required(means, 'meaning'),
  }),
);

/**
 * Finds aliases in queries. An alias may also be a word of many names (`bolt`), so it is only one
 * reading of the words.
 */
export class AliasTable {
  readonly #byName = new Map<string, Alias[]>();
  /** The word count of the longest alias, by first word. */
  readonly #longest = new Map<string, number>();

  /** An alias may have several rows, each with another meaning. */
  constructor(rows: readonly Alias[]) {
    for (const row of rows) this.#add(row);
  }

  /**
   * Returns all rows of the longest alias that begins at `words[from]`, and the index after it;
   * undefined if there is none. Words are folded by `foldWords`.
   */
  find(
    words: readonly string[],
    from: number,
  ): { readonly to: number; readonly aliases: readonly Alias[] } | undefined {
    const longest = this.#longest.get(words[from] ?? '') ?? 0;
    for (let to = Math.min(from + longest, words.length); to > from; to--) {
      const aliases = this.#byName.get(words.slice(from, to).join(' '));
      if (aliases) return { to, aliases };
    }
    return undefined;
  }

  #add(row: Alias): void {
    const words = foldWords(row.alias);
    const [first] = words;
    if (first === undefined) return;
    const name = words.join(' ');
    this.#byName.set(name, [...(this.#byName.get(name) ?? []), row]);
    this.#longest.set(first, Math.max(words.length, this.#longest.get(first) ?? 0));
  }
}

const COLUMNS = ['game', 'alias', 'means'] as const;
const HEADER = COLUMNS.join(',');

/** The longest alias and the longest query, in characters. */
const MAX_LENGTH = 200;
const MAX_ROWS = 10_000;

/**
 * Parses the operator's own aliases: CSV with the header `game,alias,means` and one alias per row.
 * Skips empty lines.
 *
 * @throws OperatorError that names the line and the fix.
 */
export function parseAliases(text: string): Alias[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  if (lines[0]?.trim() !== HEADER) throw badLine(1, `begin the file with the line \`${HEADER}\``);
  if (lines.length > MAX_ROWS) throw badLine(MAX_ROWS + 1, `keep at most ${MAX_ROWS} lines`);
  return lines.flatMap((line, index) => {
    return index === 0 || line.trim() === '' ? [] : [parseRow(line, index + 1)];
  });
}

function parseRow(line: string, number: number): Alias {
  const { data, errors } = Papa.parse<string[]>(line, { delimiter: ',' });
  const cells = data[0]?.map((cell) => cell.trim()) ?? [];
  if (errors.length > 0 || cells.length !== COLUMNS.length) {
    throw badLine(number, `give it three cells, ${HEADER}, and quote those that contain commas`);
  }
  const [slug = '', alias = '', means = ''] = cells;
  const game = GAME_SLUGS.find((known) => known === slug);
  if (!game) throw badLine(number, `begin it with one of ${GAME_SLUGS.join(', ')}`);
  for (const cell of [alias, means]) {
    if (foldWords(cell).length > 0 && cell.length <= MAX_LENGTH) continue;
    throw badLine(number, `give \`alias\` and \`means\` 1 to ${MAX_LENGTH} characters with a word`);
  }
  return { game, alias, means };
}

function badLine(number: number, advice: string): OperatorError {
  return new OperatorError(`Line ${number} cannot be read as an alias: ${advice}.`);
}
