import type { CardSet } from '../domain/card.ts';
import { isOversizedSet, readSetName } from '../domain/card-name.ts';
import { GAME_SLUGS, type GameSlug, rulesOf } from '../domain/games.ts';
import { codesOf, type NamedSet, SetNames, setNames } from '../domain/naming/set-names.ts';
import { foldText, foldWords } from '../domain/text.ts';
import { readGame, readTable, required } from '../search/index.ts';
import type { ResolveItem } from './item.ts';

/** A set of the catalogue with its names, for comparison. */
interface KnownSet extends NamedSet {
  readonly row: CardSet;
}

/** The sets that an item means. */
export interface MeantSets {
  /** Row ids; empty if the set is not known. */
  readonly rowIds: ReadonlySet<number>;
  readonly sets: readonly CardSet[];
  /** The set as the item gives it, or the set's name for a setId. */
  readonly given: string;
  /** Whether only some words of the name match. */
  readonly isPartial: boolean;
}

type SetFields = Pick<ResolveItem, 'game' | 'set' | 'setCode' | 'setId'>;

/** The cache is cleared at this size, because its keys come from callers. */
const MOST_KEPT = 2000;

/**
 * Names of sets by the game and a code of other programs, where TCGplayer has a different code.
 * Names are spelled by the rules of the game.
 */
const OTHER_CODES: ReadonlyMap<string, string> = new Map(
  readTable('set-codes.tsv', ['game', 'code', 'set'], ({ game, code, set }) => {
    return [`${readGame(game)} ${required(code, 'code')}`, required(set, 'set')] as const;
  }),
);

/** Finds the sets of the catalogue by the names and codes that people use. */
export class KnownSets {
  /** The array that this was built from. A different array means that sets have changed. */
  readonly source: readonly CardSet[];
  readonly #byId = new Map<string, CardSet>();
  readonly #games = new Map<GameSlug, SetNames<KnownSet>>();
  readonly #byGame: ReadonlyMap<GameSlug, readonly KnownSet[]>;
  /** Sets by game and a word of a name, separated by a space. */
  readonly #byWord = new Map<string, KnownSet[]>();
  /** The length of the longest label that begins with the first word of a name or code. */
  readonly #longest = new Map<string, number>();
  /** Sets by their folded names and codes. */
  readonly #byLabel = new Map<string, CardSet[]>();
  readonly #found = new Map<string, MeantSets>();

  constructor(source: readonly CardSet[]) {
    this.source = source;
    const known = source.map((row) => ({ row, names: setNames(rulesOf(row.game), row.name) }));
    this.#byGame = Map.groupBy(known, ({ row }) => row.game);
    for (const [game, sets] of this.#byGame) {
      this.#games.set(game, new SetNames(rulesOf(game), sets));
    }
    for (const set of known) this.#addWords(set);
    for (const set of source) {
      this.#addLabels(set);
      this.#byId.set(set.id, set);
    }
    this.#measureLabels();
  }

  /** Returns the sets that an item's set, set code and setId mean; undefined if it has none. */
  find({ game, set, setCode, setId }: SetFields): MeantSets | undefined {
    const given = [setId, set, setCode].filter((text) => text !== undefined && text.trim() !== '');
    if (given.length === 0) return undefined;
    const key = [game, setId, set, setCode].join('\n');
    const found =
      this.#found.get(key) ?? this.#find({ game, set, setCode, setId }, given.join(' '));
    if (this.#found.size >= MOST_KEPT) this.#found.clear();
    this.#found.set(key, found);
    return found;
  }

  /** Returns the sets whose name or code occurs in a text of these folded words. */
  within(words: readonly string[]): CardSet[] {
    const found = new Set<CardSet>();
    for (let from = 0; from < words.length; from++) {
      const longest = this.#longest.get(words[from] ?? '') ?? 0;
      let label = '';
      for (let to = from; to < words.length && label.length < longest; to++) {
        label += words[to];
        for (const set of this.#byLabel.get(label) ?? []) found.add(set);
      }
    }
    return [...found];
  }

  /** Returns a game's sets of oversized cards. */
  oversized(game: GameSlug): readonly CardSet[] {
    const sets = this.#byGame.get(game) ?? [];
    return sets.map(({ row }) => row).filter(({ name }) => isOversizedSet(name));
  }

  /** Returns the sets with a name that is spelled by the rules of the game. */
  spelt(game: GameSlug, name: string): readonly CardSet[] {
    return (this.#games.get(game)?.withName(name) ?? []).map(({ row }) => row);
  }

  #addLabels(set: CardSet): void {
    for (const text of textsOf(set)) this.#longest.set(foldWords(text)[0] ?? '', 0);
    for (const label of labelsOf(set)) {
      const sets = this.#byLabel.get(label);
      if (sets) sets.push(set);
      else this.#byLabel.set(label, [set]);
    }
  }

  /** Sets {@link #longest}, so most words of a text lead to no label or to few short ones. */
  #measureLabels(): void {
    for (const label of this.#byLabel.keys()) {
      for (let end = 1; end <= label.length; end++) {
        const word = label.slice(0, end);
        const longest = this.#longest.get(word);
        if (longest !== undefined && longest < label.length) this.#longest.set(word, label.length);
      }
    }
  }

  #addWords(set: KnownSet): void {
    for (const word of new Set(set.names.flatMap((name) => name.split(' ')))) {
      const key = `${set.row.game} ${word}`;
      const sets = this.#byWord.get(key);
      if (sets) sets.push(set);
      else this.#byWord.set(key, [set]);
    }
  }

  #find({ game, set, setCode, setId }: Wide<SetFields>, given: string): MeantSets {
    const byId = setId === undefined ? undefined : this.#byId.get(setId.trim().toLowerCase());
    if (byId) return meant([byId], byId.name, false);
    const games = game === undefined ? GAME_SLUGS : [game];
    const exact = games.flatMap((slug) => this.#findIn(slug, set, setCode));
    if (exact.length > 0) return meant(exact, given, false);
    const partial = set === undefined ? [] : games.flatMap((slug) => this.#findPart(slug, set));
    return meant(partial, given, true);
  }

  /** Finds sets by name and code, then by name, then by code. Name and code may be swapped. */
  #findIn(game: GameSlug, name: string | undefined, code: string | undefined): readonly CardSet[] {
    const names = this.#games.get(game);
    if (!names) return [];
    const named = name === undefined ? [] : orElse(names.named(name), () => names.withCode(name));
    const coded = code === undefined ? [] : this.#withCode(game, names, code);
    const both = named.filter((set) => coded.includes(set));
    const sets = [both, named, coded].find((some) => some.length > 0) ?? [];
    return [...sets, ...names.partsOf(sets)].map(({ row }) => row);
  }

  #withCode(game: GameSlug, names: SetNames<KnownSet>, code: string): readonly KnownSet[] {
    const other = OTHER_CODES.get(`${game} ${foldText(code)}`);
    const own = names.withCode(code);
    const elsewhere = other === undefined ? [] : names.withName(other);
    return own.length + elsewhere.length === 0 ? names.named(code) : [...own, ...elsewhere];
  }

  /** Returns the nearest set whose words include those of the text, or are included in them. */
  #findPart(game: GameSlug, text: string): readonly CardSet[] {
    const given = setNames(rulesOf(game), text).at(-1)?.split(' ') ?? [];
    let best: CardSet[] = [];
    let fewest = given.length;
    const sharing = given.flatMap((word) => this.#byWord.get(`${game} ${word}`) ?? []);
    for (const { row, names } of new Set(sharing)) {
      const distance = Math.min(...names.map((name) => distanceOf(given, name.split(' '))));
      if (distance > fewest || distance >= given.length) continue;
      best = distance < fewest ? [row] : [...best, row];
      fewest = distance;
    }
    return best.length === 1 ? best : [];
  }
}

type Wide<T> = { readonly [K in keyof T]-?: T[K] | undefined };

function orElse<T>(some: readonly T[], others: () => readonly T[]): readonly T[] {
  return some.length > 0 ? some : others();
}

function meant(sets: readonly CardSet[], given: string, isPartial: boolean): MeantSets {
  return { rowIds: new Set(sets.map(({ rowId }) => rowId)), sets, given, isPartial };
}

/** Returns how many words one has that the other lacks; infinite if both lack some. */
function distanceOf(some: readonly string[], others: readonly string[]): number {
  const added = some.filter((word) => !others.includes(word)).length;
  const missing = others.filter((word) => !some.includes(word)).length;
  const shared = some.length - added;
  return (added > 0 && missing > 0) || shared === 0 ? Number.POSITIVE_INFINITY : added + missing;
}

/** The results of {@link labelsOf}, {@link codeLabelsOf} and {@link wordsOf}. */
const LABELS = new WeakMap<CardSet, readonly string[]>();
const CODES = new WeakMap<CardSet, ReadonlySet<string>>();
const WORDS = new WeakMap<CardSet, ReadonlySet<string>>();

/** Returns the folded names of a set, the written one first, then its codes. */
export function labelsOf(set: CardSet): readonly string[] {
  const known = LABELS.get(set);
  if (known) return known;
  const labels = [...new Set(textsOf(set).map(foldText))];
  LABELS.set(set, labels);
  return labels;
}

/** Returns the folded words of a set's name. */
export function wordsOf(set: CardSet): ReadonlySet<string> {
  const known = WORDS.get(set);
  if (known) return known;
  const words = new Set(foldWords(set.name));
  WORDS.set(set, words);
  return words;
}

/** Returns the names and codes of a set. */
function textsOf(set: CardSet): string[] {
  const names = setNames(rulesOf(set.game), set.name);
  return [
    set.name,
    readSetName(set.name).name,
    ...names,
    ...withoutEdition(set, names),
    set.code,
    ...codesOf(set),
  ];
}

/** Returns names without "edition" if the rules treat both as equal: `alpha` for Alpha Edition. */
function withoutEdition({ game }: CardSet, names: readonly string[]): string[] {
  const short = names.map((name) => name.replace(/ edition$/, ''));
  return short.filter((name) => {
    return (
      !names.includes(name) && setNames(rulesOf(game), name).some((one) => names.includes(one))
    );
  });
}

/** Whether a label of a set is a code and not its name. Some sets have equal codes and names. */
export function isCode(label: string, set: CardSet): boolean {
  return label !== labelsOf(set)[0] && codeLabelsOf(set).has(label);
}

function codeLabelsOf(set: CardSet): ReadonlySet<string> {
  const known = CODES.get(set);
  if (known) return known;
  const codes = new Set([foldText(set.code), ...codesOf(set)]);
  CODES.set(set, codes);
  return codes;
}
