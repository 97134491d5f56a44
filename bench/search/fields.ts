import type { Card } from '../../src/domain/card.ts';
import { readSetName } from '../../src/domain/card-name.ts';
import { numberForms } from '../../src/domain/collector-number.ts';
import { findGame } from '../../src/domain/games.ts';
import { foldWords } from '../../src/domain/text.ts';

/** What the other engines index of a card: texts of folded words. */
export interface Fields {
  readonly name: string;
  /** As printed, and in the shorter forms that collectors type. */
  readonly number: string;
  /** The name, and the code. */
  readonly set: string;
  readonly rarity: string;
  /** The game, the year of the set's release and the printings. */
  readonly rest: string;
}

export const FIELDS = ['name', 'number', 'set', 'rarity', 'rest'] as const;

export function fieldsOf({ name, number, set, rarity, printings }: Card): Fields {
  const game = findGame(set.game)?.name ?? set.game;
  const year = set.releaseDate?.slice(0, 4) ?? '';
  return {
    name: folded(name),
    number: [folded(number ?? ''), ...numberForms(number, folded(set.code))].join(' '),
    set: folded(`${readSetName(set.name).name} ${set.code}`),
    rarity: folded(rarity ?? ''),
    rest: folded(`${game} ${set.game} ${year} ${printings.map((one) => one.name).join(' ')}`),
  };
}

export function folded(text: string): string {
  return foldWords(text).join(' ');
}
