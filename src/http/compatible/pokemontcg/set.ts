import type { CardSet } from '../../../domain/card.ts';
import { present } from '../../../domain/facts.ts';
import type { PokemonTcgSet } from '../../../domain/pokemontcg.ts';
import { slashed } from './prices.ts';

/**
 * Returns a set in the form of the Pokémon TCG API, as the source gives it. For a set without such
 * data, uses the catalogue's data.
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
