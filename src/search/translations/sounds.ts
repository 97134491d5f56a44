/*
 * How romanised Japanese sounds, whoever wrote it: the spellings of one name fold alike. `lizardon`,
 * `rizaadon`, `rizadon` and `Rizādon` are all `rizadon`.
 */

/** Spellings by the one that stands for them all, in the order in which they are replaced. */
const SOUNDS: readonly (readonly [spelling: RegExp, sound: string])[] = [
  [/tch/g, 'ch'],
  [/th/g, 's'],
  [/ph/g, 'f'],
  [/ck/g, 'k'],
  [/qu/g, 'ku'],
  [/x/g, 'kus'],
  [/sh/g, 'sy'],
  [/ch/g, 'ty'],
  [/c(?=[eiy])/g, 's'],
  [/c/g, 'k'],
  [/j/g, 'zy'],
  [/([stz])yi/g, '$1i'],
  [/tsu/g, 'tu'],
  [/fu/g, 'hu'],
  [/l/g, 'r'],
  [/v/g, 'b'],
  [/o[hu](?![aeiouy])/g, 'o'],
  [/ei/g, 'e'],
  [/(.)\1+/g, '$1'],
  // English spells a long vowel with an r: `lizardon` is リザードン.
  [/(?<=[aeiou])r(?![aeiouy])/g, ''],
  [/(.)\1+/g, '$1'],
];

/** Returns how a folded Latin word sounds: without lengths, and with one letter for l and r. */
export function soundOf(word: string): string {
  return SOUNDS.reduce((sound, [spelling, replacement]) => {
    return sound.replace(spelling, replacement);
  }, word);
}

/** Returns a sound without the vowels that Japanese adds: `kameks` of `kamekusu` and of `kamekus`. */
export function skeletonOf(sound: string): string {
  return sound
    .replace(/(?<=.)u/g, '')
    .replace(/(?<=[td])o(?![aeiou])/g, '')
    .replace(/(.)\1+/g, '$1');
}
