import type { Card } from '../../../domain/card.ts';
import { type Attack, type CardFacts, type NamedBySource, present } from '../../../domain/facts.ts';
import { marketplaceLinks } from '../../../domain/marketplaces.ts';
import { partsOfPokemonTcgId } from '../../../domain/pokemontcg.ts';
import type { ExternalId } from '../../../domain/sources.ts';
import { idsBySpace } from '../../v1/views.ts';
import { cardmarketBlock, tcgplayerBlock } from './prices.ts';
import type { SetView } from './set.ts';

/** Cards in the form of the Pokémon TCG API. Unknown values are omitted. */

/** A card with the source's own names for it. */
export interface DescribedCard {
  readonly card: Card;
  readonly named: NamedBySource;
  readonly facts: CardFacts;
  readonly set: SetView;
}

/** Returns an equal part that all cards share. */
export type Share = <Part>(part: Part) => Part;

/** The fields kept in memory. */
export function briefView(
  { named: { id, name, rarity }, facts, set }: DescribedCard,
  share: Share,
) {
  return present({
    id,
    name: share(name),
    supertype: share(facts.supertype),
    subtypes: share(facts.subtypes),
    hp: share(facts.hp),
    types: share(facts.types),
    set,
    number: share(partsOfPokemonTcgId(id)[1]),
    rarity: share(rarity),
    nationalPokedexNumbers: share(facts.nationalPokedexNumbers),
  });
}

export type BriefView = ReturnType<typeof briefView>;

/** The whole card. */
export function cardView(described: DescribedCard, externalIds: readonly ExternalId[]) {
  const { card, named, facts, set } = described;
  const { id, name, rarity } = named;
  const trait = facts.abilities?.find(({ kind }) => kind === ANCIENT_TRAIT);
  const abilities = facts.abilities?.filter((ability) => ability !== trait);
  const links = marketplaceLinks(card.set.game, idsBySpace(externalIds));
  const urlAt = (marketplace: string) => links.find((one) => one.marketplace === marketplace)?.url;
  return present({
    id,
    name,
    supertype: facts.supertype,
    subtypes: facts.subtypes,
    level: facts.level,
    hp: facts.hp,
    types: facts.types,
    evolvesFrom: facts.evolvesFrom,
    evolvesTo: facts.evolvesTo,
    rules: facts.rules,
    ancientTrait: trait && { name: trait.name, text: trait.text ?? '' },
    abilities: abilities?.map(({ name, text = '', kind: type }) => present({ name, text, type })),
    attacks: facts.attacks?.map(attackView),
    weaknesses: facts.weaknesses,
    resistances: facts.resistances,
    retreatCost: facts.retreat,
    convertedRetreatCost: facts.retreat?.length,
    set,
    number: partsOfPokemonTcgId(id)[1],
    artist: facts.artist,
    rarity,
    flavorText: facts.flavorText,
    nationalPokedexNumbers: facts.nationalPokedexNumbers,
    legalities: legalitiesView(facts.legalities),
    regulationMark: facts.regulationMark,
    images: card.image === null ? {} : { small: card.image, large: card.image },
    tcgplayer: tcgplayerBlock(card, urlAt('tcgplayer')),
    cardmarket: cardmarketBlock(card, urlAt('cardmarket')),
  });
}

const ANCIENT_TRAIT = 'Ancient Trait';

function attackView({ name, cost = [], damage = '', text = '' }: Attack) {
  const energies = cost.filter((energy) => energy !== 'Free');
  return { name, cost, convertedEnergyCost: energies.length, damage, text };
}

/** `{ standard: 'Legal' }` */
function legalitiesView(legalities: CardFacts['legalities'] = {}) {
  const written = Object.entries(legalities).map(([format, legality]) => {
    return [format, legality.charAt(0).toUpperCase() + legality.slice(1)] as const;
  });
  return Object.fromEntries(written);
}
