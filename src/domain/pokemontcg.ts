/** The Pokémon TCG API's names for things that also exist here. */

/**
 * TCGplayer's names of printings, by the API's names of finishes. If there are two, the last is the
 * usual one.
 */
export const POKEMONTCG_FINISHES: Readonly<Record<string, string>> = {
  normal: 'Normal',
  holofoil: 'Holofoil',
  reverseHolofoil: 'Reverse Holofoil',
  '1stEdition': '1st Edition',
  '1stEditionNormal': '1st Edition',
  '1stEditionHolofoil': '1st Edition Holofoil',
  unlimitedNormal: 'Unlimited',
  unlimited: 'Unlimited',
  unlimitedHolofoil: 'Unlimited Holofoil',
};

/** A set as the API describes it. Unknown values are absent. */
export interface PokemonTcgSet {
  readonly name: string;
  readonly series: string;
  readonly printedTotal?: number;
  readonly total?: number;
  readonly legalities?: Readonly<Record<string, string>>;
  readonly ptcgoCode?: string;
  /** `1999/01/09` */
  readonly releaseDate?: string;
  readonly updatedAt?: string;
  readonly images?: Readonly<Record<string, string>>;
}

/** Returns the id of the set and the number in an id such as `base1-4`. */
export function partsOfPokemonTcgId(id: string): readonly [set: string, number: string] {
  const hyphen = id.lastIndexOf('-');
  return [id.slice(0, hyphen), id.slice(hyphen + 1)];
}
