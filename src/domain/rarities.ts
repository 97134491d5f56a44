import type { GameSlug } from './games.ts';

const POKEMON = [
  'Holo Rare',
  'Rare Holo',
  'Double Rare',
  'Ultra Rare',
  'Secret Rare',
  'Hyper Rare',
  'Illustration Rare',
  'Special Illustration Rare',
  'Shiny Rare',
  'Shiny Holo Rare',
  'Shiny Ultra Rare',
  'Radiant Rare',
  'Amazing Rare',
  'ACE SPEC Rare',
  'Rare Ace',
  'Rare BREAK',
  'Classic Collection',
];

/**
 * The rarities of which at least nine in ten priced cards have no printing without foil. The few
 * others are theme deck cards and mistakes, and are not what collectors mean by the card.
 */
const FOIL_RARITIES: Readonly<Partial<Record<GameSlug, ReadonlySet<string>>>> = {
  pokemon: new Set(POKEMON),
  pokemonjp: new Set(POKEMON),
  lorcana: new Set(['Enchanted']),
  fab: new Set(['Fabled', 'Marvel']),
};

/** Whether cards of a rarity, by its label, are foils. False where the rarity is not known. */
export function isFoilRarity(game: GameSlug, rarity: string | null): boolean {
  return rarity !== null && FOIL_RARITIES[game]?.has(rarity) === true;
}
