import { foldText, foldWords, withoutZeros } from '../../domain/text.ts';
import type { CardReference } from '../../sources/contract/feed.ts';
import type { KnownCard } from '../../store/identities.ts';
import type { SetRow } from '../../store/schema.ts';
import { type GameRules, spell, type VariantSet } from './game-rules.ts';
import { readName } from './reading.ts';
import { SetCards } from './set-cards.ts';

/** A set of ours, as references are compared with it. */
export class BookSet {
  readonly row: SetRow;
  readonly rules: GameRules;
  readonly cards: KnownCard[] = [];
  /** What it may be called, in folded words. */
  readonly names: readonly string[];
  /** The code as numbers begin with it. */
  readonly code: string;
  #index: SetCards | undefined;

  constructor(row: SetRow, rules: GameRules) {
    this.row = row;
    this.rules = rules;
    this.names = namesOf(rules, row.name, rules.gameNames);
    this.code = codeKey(row.code);
  }

  /** Its cards by number and name, read when they are first asked for. */
  get index(): SetCards {
    this.#index ??= new SetCards(this, this.cards);
    return this.#index;
  }
}

/** The sets that a reference may mean. */
export interface MeantSets {
  readonly sets: readonly BookSet[];
  /** The variants of the reference that these sets tell. */
  readonly told: RegExp | null;
}

export const NO_SETS: MeantSets = { sets: [], told: null };

/** Finds the sets of one game by what sources call them. */
export class SetNames {
  readonly #rules: GameRules;
  readonly #sets: readonly BookSet[];
  readonly #byName = new Map<string, BookSet[]>();
  /** By what else they may be called than as we write it. */
  readonly #byOtherName = new Map<string, BookSet[]>();
  readonly #byCode = new Map<string, BookSet[]>();
  /** What was found for a code and a name before: a source names a set as often as it has cards. */
  readonly #known = new Map<string, MeantSets>();

  constructor(rules: GameRules, sets: readonly BookSet[]) {
    this.#rules = rules;
    this.#sets = sets;
    for (const set of sets) {
      for (const [at, name] of set.names.entries()) {
        add(at === 0 ? this.#byName : this.#byOtherName, name, set);
      }
      for (const code of codesOf(set.row)) add(this.#byCode, code, set);
    }
  }

  /**
   * The sets that a reference may mean: those of its set's name and code, or of the name, or of
   * the code, in this order. None where its set is not known.
   */
  find(reference: CardReference): MeantSets {
    const { setCode, setName, number } = reference;
    const isTold = setCode !== null || setName !== null;
    const code = setCode ?? (isTold ? '' : this.#codeIn(number));
    const key = `${code}\n${setName ?? ''}`;
    let meant = this.#known.get(key);
    if (!meant) {
      const sets = this.#find(code, setName);
      meant = { sets: [...sets, ...this.#partsOf(sets)], told: null };
      this.#known.set(key, meant);
    }
    return this.#ofVariant(meant, reference);
  }

  #find(code: string, name: string | null): readonly BookSet[] {
    const named = name === null ? [] : this.#named(name);
    const coded = (code !== '' && this.#byCode.get(codeKey(code))) || [];
    const both = named.filter((set) => coded.includes(set));
    return [both, named, coded].find((sets) => sets.length > 0) ?? [];
  }

  #named(name: string): readonly BookSet[] {
    const { gameNames, seriesNames, setGroups } = this.#rules;
    for (const one of namesOf(this.#rules, name, [...gameNames, ...seriesNames])) {
      const group = setGroups.find(([written]) => written.test(one));
      const sets = group ? this.#membersOf(group[1]) : this.#called(one);
      if (sets.length > 0) return sets;
    }
    return [];
  }

  #called(name: string): readonly BookSet[] {
    return this.#byName.get(name) ?? this.#byOtherName.get(name) ?? [];
  }

  #membersOf(group: RegExp): readonly BookSet[] {
    return this.#sets.filter(({ names }) => names.some((name) => group.test(name)));
  }

  #codeIn(number: string | null): string {
    return this.#rules.codeInNumber?.exec(number ?? '')?.[1] ?? '';
  }

  /** What some sources count to these sets: the Trainer Gallery of Silver Tempest. */
  #partsOf(sets: readonly BookSet[]): readonly BookSet[] {
    const { setParts } = this.#rules;
    if (!setParts || sets.length === 0) return [];
    return this.#sets.filter((set) => {
      return !sets.includes(set) && sets.some((whole) => isPart(setParts, set, whole));
    });
  }

  /** The sets that hold a variant, where it has some of its own. */
  #ofVariant(meant: MeantSets, reference: CardReference): MeantSets {
    const rules = this.#rules.variantSets.filter((rule) => isWithin(meant.sets, rule));
    if (rules.length === 0) return meant;
    const { title, variants } = readName(this.#rules, reference.name, reference.variant);
    for (const { meant: name, variant, either } of rules) {
      const own = this.#called(name);
      if (own.length === 0) continue;
      if (either.includes(title)) return { sets: [...meant.sets, ...own], told: variant };
      if (variants.some((phrase) => variant.test(phrase))) return { sets: own, told: variant };
    }
    return meant;
  }
}

function isWithin(sets: readonly BookSet[], { within }: VariantSet): boolean {
  return within === null ? sets.length > 0 : sets.some(({ names }) => names.includes(within));
}

function isPart(part: RegExp, set: BookSet, whole: BookSet): boolean {
  return set.names.some((name) => {
    return whole.names.some((start) => {
      return name.startsWith(`${start} `) && part.test(name.slice(start.length + 1));
    });
  });
}

function add(index: Map<string, BookSet[]>, key: string, set: BookSet): void {
  const sets = index.get(key);
  if (!sets) index.set(key, [set]);
  else if (!sets.includes(set)) sets.push(set);
}

/** A code before a name: `SV02: Paldea Evolved`, `SM - Team Up`, `HS—Undaunted`. */
const LEADING_CODE = /^([A-Z][A-Z0-9]{0,6}[a-z]?(?:-[A-Z])?)(?:: +| +[-–] +|—)(?=\S)/;

/**
 * What a set may be called, in folded words: as written first, then without its code, then
 * without the names of its game or series in front.
 */
function namesOf(rules: GameRules, name: string, prefixes: readonly string[]): string[] {
  const written = [name, name.replace(LEADING_CODE, '')].map(wordsOf);
  const bare = written.flatMap((words) => withoutPrefix(words, prefixes));
  return [...new Set([...written, ...bare].map((words) => spell(words, rules.setNames)))];
}

function withoutPrefix(words: string, prefixes: readonly string[]): string[] {
  const prefix = prefixes.find((one) => words.startsWith(`${one} `));
  if (prefix === undefined) return [];
  const bare = words.slice(prefix.length + 1).replace(/^the /, '');
  return [bare, ...withoutPrefix(bare, prefixes)];
}

function wordsOf(name: string): string {
  return foldWords(name)
    .filter((word) => word !== 'and')
    .join(' ')
    .replace(/^the (?=.)/, '');
}

/** What may be told as its code: its own, each of two (`OP14-EB04`), one in front of its name. */
function codesOf({ code, name }: SetRow): string[] {
  const leading = LEADING_CODE.exec(name)?.[1] ?? '';
  const parts = /^([A-Z]{2,4}\d{2})-([A-Z]{2,4}\d{2})$/.exec(code)?.slice(1) ?? [];
  return [code, ...parts, ...(/\d/.test(leading) ? [leading] : [])].map(codeKey);
}

function codeKey(code: string): string {
  return withoutZeros(foldText(code));
}
