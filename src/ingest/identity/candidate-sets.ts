import { readSetName } from '../../domain/card-name.ts';
import { isOversizedSet } from '../../domain/oversized.ts';
import { foldText, foldWords, withoutZeros } from '../../domain/text.ts';
import type { CardReference } from '../../sources/contract/feed.ts';
import type { KnownCard } from '../../store/identities.ts';
import type { SetRow } from '../../store/schema.ts';
import { readName } from './comparable-name.ts';
import { type GameRules, OVERSIZED, spell, type VariantSet } from './game-rules.ts';
import { SetIndex } from './set-index.ts';

/** A set of ours with its cards, as references are compared with it. */
export class IndexedSet {
  readonly row: SetRow;
  readonly rules: GameRules;
  readonly cards: KnownCard[] = [];
  /** What it may be called, in folded words; as written first. */
  readonly names: readonly string[];
  /** Folded, as numbers begin with it. */
  readonly code: string;
  #index: SetIndex | undefined;

  constructor(row: SetRow, rules: GameRules) {
    this.row = row;
    this.rules = rules;
    this.names = namesOf(rules, row.name, rules.gameNames);
    this.code = foldCode(row.code);
  }

  /** Its cards by number and title, indexed when they are first asked for. */
  get index(): SetIndex {
    this.#index ??= new SetIndex(this, this.cards);
    return this.#index;
  }
}

/** The sets that a reference may mean. */
export interface CandidateSets {
  readonly sets: readonly IndexedSet[];
  /** The variants that all cards of these sets have, so that they do not distinguish them. */
  readonly impliedVariants: RegExp | null;
}

export const NO_SETS: CandidateSets = { sets: [], impliedVariants: null };

/** Finds the sets of one game by the names and codes that sources give them. */
export class SetFinder {
  readonly #rules: GameRules;
  readonly #sets: readonly IndexedSet[];
  /** The sets of oversized cards, which other sources count to the sets of the cards. */
  readonly #oversized: readonly IndexedSet[];
  readonly #byName = new Map<string, IndexedSet[]>();
  /** By the names that they may have besides the written one. */
  readonly #byOtherName = new Map<string, IndexedSet[]>();
  readonly #byCode = new Map<string, IndexedSet[]>();
  /** What was found before, by code and name: a source names a set as often as it has cards. */
  readonly #found = new Map<string, CandidateSets>();

  constructor(rules: GameRules, sets: readonly IndexedSet[]) {
    this.#rules = rules;
    this.#sets = sets;
    this.#oversized = sets.filter(({ row }) => isOversizedSet(row.name));
    for (const set of sets) {
      for (const [at, name] of set.names.entries()) {
        add(at === 0 ? this.#byName : this.#byOtherName, name, set);
      }
      for (const code of codesOf(set.row)) add(this.#byCode, code, set);
    }
  }

  /**
   * Returns the sets that a reference may mean: those of its set's name and code, or of the name, or
   * of the code, in this order. There are none where its set is not known.
   */
  find(reference: CardReference): CandidateSets {
    const { setCode, setName, number } = reference;
    const hasSet = setCode !== null || setName !== null;
    const code = setCode ?? (hasSet ? '' : this.#codeIn(number));
    const key = `${code}\n${setName ?? ''}`;
    let candidates = this.#found.get(key);
    if (!candidates) {
      const sets = this.#find(code, setName);
      candidates = { sets: [...sets, ...this.#partsOf(sets)], impliedVariants: null };
      this.#found.set(key, candidates);
    }
    return this.#withVariant(candidates, reference);
  }

  #find(code: string, name: string | null): readonly IndexedSet[] {
    const named = name === null ? [] : this.#findByName(name);
    const coded = (code !== '' && this.#byCode.get(foldCode(code))) || [];
    const both = named.filter((set) => coded.includes(set));
    return [both, named, coded].find((sets) => sets.length > 0) ?? [];
  }

  #findByName(name: string): readonly IndexedSet[] {
    const { gameNames, seriesNames, setGroups } = this.#rules;
    for (const one of namesOf(this.#rules, name, [...gameNames, ...seriesNames])) {
      const group = setGroups.find(([written]) => written.test(one));
      const sets = group ? this.#membersOf(group[1]) : this.#withName(one);
      if (sets.length > 0) return sets;
    }
    return [];
  }

  #withName(name: string): readonly IndexedSet[] {
    return this.#byName.get(name) ?? this.#byOtherName.get(name) ?? [];
  }

  #membersOf(group: RegExp): readonly IndexedSet[] {
    return this.#sets.filter(({ names }) => names.some((name) => group.test(name)));
  }

  #codeIn(number: string | null): string {
    return this.#rules.codeInNumber?.exec(number ?? '')?.[1] ?? '';
  }

  /** Returns the sets that some sources take for parts of these: Silver Tempest's Trainer Gallery. */
  #partsOf(sets: readonly IndexedSet[]): readonly IndexedSet[] {
    const { setParts } = this.#rules;
    if (!setParts || sets.length === 0) return [];
    return this.#sets.filter((set) => {
      return !sets.includes(set) && sets.some((whole) => isPart(setParts, set, whole));
    });
  }

  /** Returns the sets of the reference's variant, where that has a set of its own. */
  #withVariant(candidates: CandidateSets, reference: CardReference): CandidateSets {
    const rules = this.#rules.variantSets.filter((rule) => isWithin(candidates.sets, rule));
    const oversized = candidates.sets.length === 0 ? [] : this.#oversized;
    if (rules.length + oversized.length === 0) return candidates;
    const { title, variants } = readName(this.#rules, reference.name, reference.variant);
    if (oversized.length > 0 && variants.some((phrase) => OVERSIZED.test(phrase))) {
      return { sets: oversized, impliedVariants: null };
    }
    for (const { ownSet, variant: impliedVariants, inBoth } of rules) {
      const own = this.#withName(ownSet);
      if (own.length === 0) continue;
      if (inBoth.includes(title)) return { sets: [...candidates.sets, ...own], impliedVariants };
      if (variants.some((phrase) => impliedVariants.test(phrase))) {
        return { sets: own, impliedVariants };
      }
    }
    return candidates;
  }
}

function isWithin(sets: readonly IndexedSet[], { within }: VariantSet): boolean {
  return sets.some(({ names }) => names.includes(within));
}

function isPart(part: RegExp, set: IndexedSet, whole: IndexedSet): boolean {
  return set.names.some((name) => {
    return whole.names.some((start) => {
      return name.startsWith(`${start} `) && part.test(name.slice(start.length + 1));
    });
  });
}

function add(index: Map<string, IndexedSet[]>, key: string, set: IndexedSet): void {
  const sets = index.get(key);
  if (!sets) index.set(key, [set]);
  else if (!sets.includes(set)) sets.push(set);
}

/**
 * Returns what a set may be called, in folded words: as written, then without its code, then
 * without the names of its game or series in front.
 */
function namesOf(rules: GameRules, name: string, prefixes: readonly string[]): string[] {
  const written = [name, readSetName(name).name].map(foldSetName);
  const bare = written.flatMap((words) => withoutPrefix(words, prefixes));
  return [...new Set([...written, ...bare].map((words) => spell(words, rules.setNames)))];
}

function withoutPrefix(words: string, prefixes: readonly string[]): string[] {
  const prefix = prefixes.find((one) => words.startsWith(`${one} `));
  if (prefix === undefined) return [];
  const bare = words.slice(prefix.length + 1).replace(/^the /, '');
  return [bare, ...withoutPrefix(bare, prefixes)];
}

function foldSetName(name: string): string {
  return foldWords(name)
    .filter((word) => word !== 'and')
    .join(' ')
    .replace(/^the (?=.)/, '');
}

/** Returns the codes of a set: its own, each of two (`OP14-EB04`), one in front of its name. */
function codesOf({ code, name }: SetRow): string[] {
  const leading = readSetName(name).code;
  const parts = /^([A-Z]{2,4}\d{2})-([A-Z]{2,4}\d{2})$/.exec(code)?.slice(1) ?? [];
  return [code, ...parts, ...(/\d/.test(leading) ? [leading] : [])].map(foldCode);
}

function foldCode(code: string): string {
  return withoutZeros(foldText(code));
}
