/**
 * Makes the starter catalogue, which the first `npm start` loads, from a TCGCSV tree and optionally
 * from days of its price archive. `data/starter/README.md` has the command that made ours.
 *
 *     node scripts/make-starter.ts --tree FOLDER --sets pokemon=BS,TR --sets mtg=LEA,ATQ …
 *
 * --tree FOLDER           a TCGCSV tree: last-updated.txt and tcgplayer/<category>/…
 * --archive FOLDER        files prices-YYYY-MM-DD.ppmd.7z, or folders YYYY-MM-DD unpacked from them
 * --sets GAME=SET,…       the sets to take, by code or by group id; once for each game
 * --observed GAME=DATE,…  when the tree's prices of a game were observed, where its
 *                         last-updated.txt is wrong
 * --real-ids GAME,…       games whose product ids in the tree are TCGplayer's: their cards keep
 *                         them, so that imports of the real TCGCSV find the same cards
 * --products GAME=CODE,…  sets whose sealed products are taken as well
 * --csv GAME=CODE,FILE,DATE  one of the sets from a file ProductsAndPrices.csv of TCGCSV, observed
 *                         on that day, instead of the tree; its product ids are TCGplayer's
 * --near-mint FILE        Near Mint prices of TCGplayer's products by day: card_id, date and price
 * --facts DATABASE        a database with the tree and with sources of facts, from which cards get
 *                         their facts without texts
 * --graded FILE,DATE      PriceCharting's price guide of cards, and when its prices were observed
 * --out FOLDER            where to write a file for each game; data/starter unless given
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Day, parseDay, startOfDay } from '../src/domain/day.ts';
import { OperatorError } from '../src/domain/errors.ts';
import { findGame, GAMES, type Game } from '../src/domain/games.ts';
import { type DayPrices, hasPrice } from '../src/domain/price.ts';
import type { Group, SourceSet } from '../src/sources/contract/snapshot.ts';
import { openFolder } from '../src/sources/io/tree.ts';
import { formatSets, type StarterSet } from '../src/sources/starter.ts';
import { openTcgcsv, readLastUpdated } from '../src/sources/tcgcsv/read.ts';
import { readArchive } from './starter/archive.ts';
import { composeSet, withOwnIds } from './starter/compose.ts';
import { readSetFile } from './starter/csv-set.ts';
import { readFacts, withShortFacts } from './starter/facts.ts';
import { readNearMint, standIns } from './starter/near-mint.ts';
import { type DatedFile, writeQuotes } from './starter/quotes.ts';

const DEFAULT_OUT = fileURLToPath(new URL('../data/starter/', import.meta.url));

interface GameChoice {
  readonly game: Game;
  /** Codes or group ids. */
  readonly sets: readonly string[];
  /** When the tree's prices were observed; undefined if its last-updated.txt is right. */
  readonly observed: Day | undefined;
  readonly hasRealIds: boolean;
  /** The files of sets that are not read from the tree, by the code of the set. */
  readonly files: ReadonlyMap<string, DatedFile>;
  /** The codes of sets whose sealed products are also included. */
  readonly products: readonly string[];
}

interface Choice {
  readonly tree: string;
  readonly archive: string | undefined;
  readonly out: string;
  readonly games: readonly GameChoice[];
  readonly nearMint: string | undefined;
  readonly facts: string | undefined;
  readonly guide: DatedFile | undefined;
}

/** Counts of the catalogue's content of one game. */
export interface Contents {
  readonly game: string;
  readonly sets: number;
  readonly cards: number;
  readonly products: number;
  readonly printings: number;
  /** Printings with a current price. */
  readonly prices: number;
  /** Days with a price, summed over all printings. */
  readonly history: number;
  readonly bytes: number;
}

/**
 * Makes the catalogue that a command line describes; returns counts of its content by game.
 *
 * @throws OperatorError if the command line, the tree or the archive is malformed.
 */
export async function makeStarter(args: readonly string[]): Promise<Contents[]> {
  const { tree, archive, out, games, guide, ...files } = readChoice(args);
  const findFacts = files.facts === undefined ? () => undefined : await readFacts(files.facts);
  const chosen: { choice: GameChoice; groups: Group[] }[] = [];
  for (const choice of games) chosen.push({ choice, groups: await readGroups(tree, choice) });
  const paths = chosen.flatMap(({ choice, groups }) => {
    return groups.map(({ set }) => pricesPath(choice.game, set));
  });
  const archived = archive === undefined ? [] : await readArchive(archive, paths);
  const nearMint = files.nearMint === undefined ? [] : await readNearMint(files.nearMint);
  await mkdir(out, { recursive: true });
  const contents: Contents[] = [];
  for (const { choice, groups } of chosen) {
    const read = groups.map((group) => {
      const path = pricesPath(choice.game, group.set);
      const days = archived.filter((prices) => prices.path === path);
      const hasProducts = choice.products.includes(group.set.code);
      const described = withShortFacts(group, findFacts);
      return composeSet(described, [...days, ...standIns(group, nearMint)], hasProducts);
    });
    const sets = withOwnIds(read, ({ code }) => choice.hasRealIds || choice.files.has(code));
    const text = formatSets(sets);
    await writeFile(join(out, `${choice.game.slug}.jsonl`), text);
    contents.push(contentsOf(choice.game, sets, Buffer.byteLength(text)));
  }
  if (nearMint.length > 0 || guide) await writeQuotes(out, { nearMint, guide });
  return contents;
}

function readChoice(args: readonly string[]): Choice {
  const { values } = parseArgs({
    args: [...args],
    options: {
      tree: { type: 'string' },
      archive: { type: 'string' },
      out: { type: 'string', default: DEFAULT_OUT },
      sets: { type: 'string', multiple: true, default: [] },
      observed: { type: 'string', default: '' },
      'real-ids': { type: 'string', default: '' },
      csv: { type: 'string', multiple: true, default: [] },
      products: { type: 'string', multiple: true, default: [] },
      'near-mint': { type: 'string' },
      graded: { type: 'string' },
      facts: { type: 'string' },
    },
  });
  const { tree, archive, out, facts } = values;
  if (tree === undefined || values.sets.length === 0) {
    throw new OperatorError(
      'Give --tree and --sets; the comment at the top of the script explains them.',
    );
  }
  const realIds = listOf(values['real-ids']).map(requireGame);
  const observed = new Map(listOf(values.observed).map(readObserved));
  const files = Map.groupBy(values.csv.map(readSetChoice), ({ game }) => game);
  const products = new Map(values.products.map(readAssignment));
  const games = values.sets.map((text) => {
    const [game, sets] = readAssignment(text);
    return {
      game,
      sets: listOf(sets),
      observed: observed.get(game),
      hasRealIds: realIds.includes(game),
      files: new Map(files.get(game)?.map(({ set, file }) => [set, file])),
      products: listOf(products.get(game) ?? ''),
    };
  });
  const guide =
    values.graded === undefined ? undefined : readDated('--graded', listOf(values.graded));
  return { tree, archive, out, games, nearMint: values['near-mint'], facts, guide };
}

function readSetChoice(text: string) {
  const [game, value] = readAssignment(text);
  const [set = '', ...file] = listOf(value);
  return { game, set, file: readDated('--csv', file) };
}

/** Reads the name of a file and the day on which its prices were observed. */
function readDated(option: string, [file = '', date = '']: readonly string[]): DatedFile {
  const day = parseDay(date);
  if (day === undefined) throw new OperatorError(`${option}: name a file and its date.`);
  return { file, observedAt: startOfDay(day) };
}

function listOf(text: string): string[] {
  return text.split(',').filter((item) => item !== '');
}

function readAssignment(text: string): [Game, string] {
  const [slug = '', value = ''] = text.split('=');
  return [requireGame(slug), value];
}

function readObserved(text: string): [Game, Day] {
  const [game, date] = readAssignment(text);
  const day = parseDay(date);
  if (day === undefined) throw new OperatorError(`--observed ${text}: ${date} is not a date.`);
  return [game, day];
}

function requireGame(slug: string): Game {
  const game = findGame(slug);
  if (game) return game;
  const slugs = GAMES.map((known) => known.slug).join(', ');
  throw new OperatorError(`There is no game "${slug}"; there are ${slugs}.`);
}

/** Reads the chosen sets of a game, like an import. */
async function readGroups(location: string, choice: GameChoice): Promise<Group[]> {
  const { game, sets, observed, files } = choice;
  const tree = await openFolder(location);
  const observedAt =
    observed === undefined ? await readLastUpdated(tree, Date.now()) : startOfDay(observed);
  const snapshot = await openTcgcsv(tree, { games: [game], observedAt });
  const chosen: Group[] = [];
  for await (const outcome of snapshot.groups(() => undefined)) {
    if (outcome.kind !== 'read') continue;
    const { set } = outcome.group;
    if (!sets.some((name) => isNamed(set, name))) continue;
    const file = files.get(set.code);
    chosen.push(file ? await readSetFile(set, file) : outcome.group);
  }
  for (const name of sets) {
    const count = chosen.filter(({ set }) => isNamed(set, name)).length;
    if (count === 1) continue;
    throw new OperatorError(
      `--sets ${game.slug}=${name}: ${count} sets of the tree that can be read have this code. ` +
        'A set can be named by its group id too.',
    );
  }
  return chosen;
}

function isNamed(set: SourceSet, name: string): boolean {
  return set.code === name || set.externalId === name;
}

/**
 * Returns the path of a group's prices, below `tcgplayer/` in a tree and below a day in the
 * archive.
 */
function pricesPath(game: Game, set: SourceSet): string {
  return `${game.tcgplayerCategory}/${set.externalId}/prices`;
}

/** Counts the content of the sets of one game. */
export function contentsOf(game: Game, sets: readonly StarterSet[], bytes: number): Contents {
  const listed = sets.flatMap((set) => set.cards);
  const products = listed.filter(({ product }) => product !== undefined).length;
  const printings = listed.flatMap((card) => card.printings);
  const isPriced = (prices: DayPrices | undefined) => prices !== undefined && hasPrice(prices);
  return {
    game: game.slug,
    sets: sets.length,
    cards: listed.length - products,
    products,
    printings: printings.length,
    prices: printings.filter(({ days }) => isPriced(days.at(-1))).length,
    history: printings.flatMap(({ days }) => days.filter(hasPrice)).length,
    bytes,
  };
}

if (import.meta.main) console.table(await makeStarter(process.argv.slice(2)));
