/** The marks of rarities, from the words that sources use. The first that matches counts. */
const MARKS: readonly (readonly [words: RegExp, mark: string])[] = [
  [/promo/i, '▲'],
  [/^uncommon/i, '◆'],
  [/^(?:common|basic|short print|starlight common)/i, '●'],
  [/^(?:holo )?rare(?: holo)?$/i, '★'],
  [/rare|secret|mythic|legend|enchanted|epic|iconic|fabled|majestic|marvel|leader|holo/i, '★★'],
];

/**
 * Returns the mark that represents a rarity, as printed on trading cards: ● common, ◆ uncommon, ★
 * rare, ★★ above rare, ▲ promotional; empty for a rarity without a mark.
 */
export function rarityMark(rarity: string): string {
  return MARKS.find(([words]) => words.test(rarity))?.[1] ?? '';
}
