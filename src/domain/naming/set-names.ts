import { readSetName } from '../card-name.ts';
import { foldText, foldWords, withoutZeros } from '../text.ts';
import { type GameRules, spell } from './game-rules.ts';

/** A set with the names to compare. */
export interface NamedSet {
  readonly row: { readonly code: string; readonly name: string };
  /** Its possible names, from {@link setNames}. */
  readonly names: readonly string[];
}

/** The sets of one game by the names and codes that sources give them. */
export class SetNames<S extends NamedSet> {
  readonly #rules: GameRules;
  readonly #sets: readonly S[];
  readonly #byName = new Map<string, S[]>();
  /** Sets by their other possible names. */
  readonly #byOtherName = new Map<string, S[]>();
  readonly #byCode = new Map<string, S[]>();

  constructor(rules: GameRules, sets: readonly S[]) {
    this.#rules = rules;
    this.#sets = sets;
    for (const set of sets) {
      for (const [at, name] of set.names.entries()) {
        add(at === 0 ? this.#byName : this.#byOtherName, name, set);
      }
      for (const code of codesOf(set.row)) add(this.#byCode, code, set);
    }
  }

  /** Returns the sets with a code. */
  withCode(code: string): readonly S[] {
    return (code !== '' && this.#byCode.get(foldCode(code))) || [];
  }

  /** Returns the sets with a name from a source, possibly after a game or series name. */
  named(text: string): readonly S[] {
    const { gameNames, seriesNames, setGroups } = this.#rules;
    for (const one of namesOf(this.#rules, text, [...gameNames, ...seriesNames])) {
      const group = setGroups.find(([written]) => written.test(one));
      const sets = group ? this.#membersOf(group[1]) : this.withName(one);
      if (sets.length > 0) return sets;
    }
    return [];
  }

  /** Returns the sets with a name in folded words, in the spelling of the game's rules. */
  withName(name: string): readonly S[] {
    return this.#byName.get(name) ?? this.#byOtherName.get(name) ?? [];
  }

  /**
   * Returns the sets that some sources treat as parts of these: Silver Tempest's Trainer Gallery.
   */
  partsOf(sets: readonly S[]): readonly S[] {
    const { setParts } = this.#rules;
    if (!setParts || sets.length === 0) return [];
    return this.#sets.filter((set) => {
      return !sets.includes(set) && sets.some((whole) => isPart(setParts, set, whole));
    });
  }

  #membersOf(group: RegExp): readonly S[] {
    return this.#sets.filter(({ names }) => names.some((name) => group.test(name)));
  }
}

function isPart(part: RegExp, set: NamedSet, whole: NamedSet): boolean {
  return set.names.some((name) => {
    return whole.names.some((start) => {
      return name.startsWith(`${start} `) && part.test(name.slice(start.length + 1));
    });
  });
}

function add<S>(index: Map<string, S[]>, key: string, set: S): void {
  const sets = index.get(key);
  if (!sets) index.set(key, [set]);
  else if (!sets.includes(set)) sets.push(set);
}

/** Returns the possible names of a set in folded words, the written one first. */
export function setNames(rules: GameRules, name: string): string[] {
  return namesOf(rules, name, rules.gameNames);
}

/**
 * Returns the possible names of a set in folded words: as written, then without its code, then
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

/**
 * Returns the codes of a set, folded: its own, each of two (`OP14-EB04`), and one in front of its
 * name.
 */
export function codesOf({ code, name }: NamedSet['row']): string[] {
  const leading = readSetName(name).code;
  const parts = /^([A-Z]{2,4}\d{2})-([A-Z]{2,4}\d{2})$/.exec(code)?.slice(1) ?? [];
  return [code, ...parts, ...(/\d/.test(leading) ? [leading] : [])].map(foldCode);
}

/** Returns a set code for comparison: folded, without leading zeros. */
export function foldCode(code: string): string {
  return withoutZeros(foldText(code));
}
