import type { Draw } from './draw.ts';

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];

/** Returns a word with one edit: a letter added, left out or replaced, or two neighbours swapped. */
export function misspell(word: string, draw: Draw): string {
  const edited = edit(word, draw);
  return edited === word ? misspell(word, draw) : edited;
}

/** May leave the word as it is, as swapping two equal letters does. */
function edit(word: string, draw: Draw): string {
  const at = draw.below(word.length);
  const [before, letter, after] = [word.slice(0, at), word.charAt(at), word.slice(at + 1)];
  return draw.pick([
    () => before + draw.pick(LETTERS) + letter + after,
    () => before + after,
    () => before + draw.pick(LETTERS) + after,
    () => before + after.charAt(0) + letter + after.slice(1),
  ])();
}
