import type { CardSet } from '../../../domain/card.ts';
import { present } from '../../../domain/facts.ts';
import type { PokemonTcgSet } from '../../../domain/pokemontcg.ts';
import { slashed } from './prices.ts';

/**
 * Returns a set as the Pokémon TCG API describes it, which is how the source gives it. A set that
 * the source has not described has what the catalogue knows of a card's set.
 */
export function setView(
  id: string,
  facts: PokemonTcgSet | undefined,
  { name, releaseDate }: CardSet,
) {
  return present({
    id,
    name: facts?.name ?? name,
    series: facts?.series,
    printedTotal: facts?.printedTotal,
    total: facts?.total,
    legalities: facts?.legalities ?? {},
    ptcgoCode: facts?.ptcgoCode,
    releaseDate: facts?.releaseDate ?? (releaseDate === null ? undefined : slashed(releaseDate)),
    updatedAt: facts?.updatedAt,
    images: facts?.images ?? {},
  });
}

export type SetView = ReturnType<typeof setView>;
