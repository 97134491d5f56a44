import { formatCount } from '../ui/format.ts';

interface CountedRarity {
  readonly rarity: string;
  readonly cardCount: number;
}

type Option = readonly [value: string, label: string];

/** Returns the options of a rarity filter: all, the known ones, and the selected one in any case. */
export function rarityOptions(selected: string, known: readonly CountedRarity[]): Option[] {
  const isKnown = selected === '' || known.some(({ rarity }) => rarity === selected);
  return [
    ['', 'All rarities'],
    ...(isKnown ? [] : [[selected, selected] as const]),
    ...known.map(({ rarity, cardCount }) => {
      return [rarity, `${rarity} (${formatCount(cardCount)})`] as const;
    }),
  ];
}
