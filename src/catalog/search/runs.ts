import type { Name } from './entries.ts';
import type { Term, Vocabulary } from './vocabulary.ts';

/** No word of a name is longer; what is looked up is cut to this. */
const LONGEST_WORD = 40;

/**
 * The names in which `word` is several neighbouring words run together: `mistvalley` in
 * `Mist Valley Baby Roc`. With `unfinished`, its last word may be the beginning of one.
 */
export function findRuns(vocabulary: Vocabulary, word: string, unfinished: boolean): Set<Name> {
  const found = new Set<Name>();
  let cuts: readonly boolean[] | undefined;
  for (let end = 1; end < word.length; end++) {
    const first = vocabulary.get(word.slice(0, end));
    if (!first) continue;
    // Looked for only now: few words begin with another one.
    cuts ??= cutsInto(vocabulary, word, unfinished);
    if (!cuts[end]) continue;
    const seconds = wordsFrom(vocabulary, word, end, cuts, unfinished);
    for (const name of fewestNames(first, seconds)) {
      if (holdsRun(name, word, first.text, unfinished)) found.add(name);
    }
  }
  return found;
}

/** The words that may stand in `word` from a place on. */
function wordsFrom(
  vocabulary: Vocabulary,
  word: string,
  from: number,
  cuts: readonly boolean[],
  unfinished: boolean,
): Term[] {
  const terms = unfinished ? vocabulary.startingWith(word.slice(from)) : [];
  for (let to = from + 1; to <= word.length; to++) {
    const term = cuts[to] ? vocabulary.get(word.slice(from, to)) : undefined;
    if (term) terms.push(term);
  }
  return terms;
}

/** A run holds its first word and one of the second words: the rarer of them tell the names. */
function fewestNames(first: Term, seconds: readonly Term[]): Iterable<Name> {
  let count = 0;
  for (const { names } of seconds) count += names.length;
  return first.names.length <= count ? first.names : seconds.flatMap(({ names }) => names);
}

/** For each place in `word`, whether what follows it can be cut into words. */
function cutsInto(vocabulary: Vocabulary, word: string, unfinished: boolean): boolean[] {
  const cuts: boolean[] = [];
  cuts[word.length] = true;
  for (let from = word.length - 1; from > 0; from--) {
    cuts[from] = unfinished && vocabulary.hasPrefix(word.slice(from));
    const last = Math.min(word.length, from + LONGEST_WORD);
    for (let to = from + 1; to <= last && !cuts[from]; to++) {
      cuts[from] = cuts[to] === true && vocabulary.get(word.slice(from, to)) !== undefined;
    }
  }
  return cuts;
}

/** Compared in place: joining the words would make a string for each name that is looked at. */
function holdsRun({ words }: Name, run: string, first: string, unfinished: boolean): boolean {
  for (let start = words.indexOf(first); start !== -1; start = words.indexOf(first, start + 1)) {
    let at = first.length;
    let next = words[start + 1];
    for (let i = start + 2; next !== undefined && run.startsWith(next, at); i++) {
      at += next.length;
      next = words[i];
    }
    if (at === run.length) return true;
    if (unfinished && next?.startsWith(run.slice(at))) return true;
  }
  return false;
}
