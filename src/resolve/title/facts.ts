import type { Card } from '../../domain/card.ts';
import { foldText, foldWords } from '../../domain/text.ts';
import type { Facts } from '../../search/index.ts';

/** Returns the facts about a card that phrases are compared with. */
export function factsOf({ name, number, rarity, printings, set }: Card): Facts {
  const released = Number(set.releaseDate?.slice(0, 4));
  return {
    game: set.game,
    rarity: rarity === null ? null : foldText(rarity),
    printings,
    nameTerms: foldWords(name),
    setTerms: foldWords(set.name),
    setCode: foldText(set.code),
    releaseYear: released || null,
    number: number ?? '',
  };
}
