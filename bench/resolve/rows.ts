/** Rows of files that programs and marketplaces export, and items with external ids. */
import { type Card, UNSPECIFIED } from '../../src/domain/card.ts';
import { facesOf } from '../../src/domain/card-name.ts';
import { collectorPart } from '../../src/domain/collector-number.ts';
import type { GameSlug } from '../../src/domain/games.ts';
import type { Condition } from '../../src/domain/price.ts';
import { decodeEntities } from '../../src/domain/text.ts';
import type { Draw } from '../search/draw.ts';
import { plainName } from '../search/queries.ts';
import { treatmentOf, type Written } from './catalogue.ts';
import type { Details, Form } from './line.ts';
import { cardmarketName, tcgplayerName } from './other-names.ts';

const ALL: readonly GameSlug[] = [
  ...(['pokemon', 'mtg', 'yugioh', 'lorcana', 'onepiece', 'swu', 'fab', 'pokemonjp'] as const),
];

const BY_CODE: Written = { set: 'code', number: true };
const BY_NAME: Written = { set: 'name', number: true };

type Words = readonly (readonly [word: string, condition: Condition])[];

const MANABOX_CONDITIONS: Words = [
  ['mint', 'near_mint'],
  ['near_mint', 'near_mint'],
  ['excellent', 'lightly_played'],
  ['good', 'moderately_played'],
];
const TCGPLAYER_CONDITIONS: Words = [
  ['Near Mint', 'near_mint'],
  ['Lightly Played', 'lightly_played'],
  ['Moderately Played', 'moderately_played'],
  ['Heavily Played', 'heavily_played'],
  ['Damaged', 'damaged'],
];
const CARDMARKET_CONDITIONS: Words = [
  ['NM', 'near_mint'],
  ['EX', 'lightly_played'],
  ['GD', 'moderately_played'],
];

/** Name, set code, set name, collector number, foil, condition and language. */
export const MANABOX: Form = {
  games: ['mtg'],
  count: 200,
  type: (card, draw, catalogue) => {
    if (card.number === null || catalogue.needsTreatment(card, BY_CODE)) return undefined;
    const printing = printingOf(card, draw);
    const foil = printing === undefined ? undefined : printing === 'Normal' ? 'normal' : 'foil';
    const [condition, meant] = draw.pick(MANABOX_CONDITIONS);
    const quantity = 1 + draw.below(4);
    return {
      item: {
        name: plainName(card.name),
        setCode: draw.pick([card.set.code, card.set.code.toLowerCase()]),
        set: draw.chance(0.5) ? card.set.name : tcgplayerName(card.set),
        number: draw.chance(0.2) ? card.number.padStart(4, '0') : card.number,
        ...(foil === undefined ? {} : { printing: foil }),
        condition,
        language: 'en',
        quantity,
      },
      written: BY_CODE,
      ...details(printing),
      quantity,
      condition: meant,
    };
  },
};

/** Product name, set name, number, printing and condition; sometimes `Near Mint Foil` in one. */
export const TCGPLAYER: Form = {
  games: ALL,
  count: 200,
  type: (card, draw) => {
    if (card.number === null) return undefined;
    const printing = printingOf(card, draw);
    const [condition, meant] = draw.pick(TCGPLAYER_CONDITIONS);
    const isPokemon = card.set.game === 'pokemon';
    const name = decodeEntities(card.name);
    const numbered = isPokemon && draw.chance(0.3) ? `${name} - ${card.number}` : name;
    const joined = printing === 'Foil' && draw.chance(0.3);
    const quantity = 1 + draw.below(4);
    return {
      item: {
        name: numbered,
        set: tcgplayerName(card.set),
        number: card.number,
        ...(printing === undefined || joined ? {} : { printing }),
        condition: joined ? `${condition} Foil` : condition,
        quantity,
        language: card.set.game === 'pokemonjp' ? 'Japanese' : 'English',
        ...(draw.chance(0.5) ? { game: card.set.game } : {}),
        ...(draw.chance(0.3) ? { setCode: card.set.code } : {}),
      },
      written: BY_NAME,
      ...details(printing),
      quantity,
      condition: meant,
    };
  },
};

/** Names without treatments, Cardmarket's names of sets, numbers with or without the code. */
export const CARDMARKET: Form = {
  games: ['pokemon', 'mtg', 'yugioh', 'lorcana', 'onepiece', 'swu', 'fab'],
  count: 200,
  type: (card, draw, catalogue) => {
    if (card.number === null) return undefined;
    const isFab = card.set.game === 'fab';
    const hasTreatment = treatmentOf(card) !== '' && !isFab;
    if (hasTreatment && catalogue.needsTreatment(card, BY_NAME)) return undefined;
    const [condition, meant] = draw.pick(CARDMARKET_CONDITIONS);
    const name = isFab ? card.name : plainName(decodeEntities(card.name));
    const set = cardmarketName(card.set);
    const quantity = 1 + draw.below(4);
    const collector = collectorPart(card.number);
    const number = draw.pick([collector, card.number, collector.replace(/^0+(?=\d)/, '')]);
    if (draw.chance(0.4)) {
      const price = `${draw.below(90)},${10 + draw.below(90)} EUR`;
      const parts = [`${quantity}x ${name} (${set})`, number, condition, 'English', price];
      return {
        item: parts.join(' - '),
        written: BY_NAME,
        quantity,
        condition: meant,
      };
    }
    const item = { name, set, number, condition, language: 'English', quantity };
    return {
      item: draw.chance(0.5) ? { ...item, game: card.set.game } : item,
      written: BY_NAME,
      quantity,
      condition: meant,
    };
  },
};

/** Returns the form of items with an id at TCGplayer or Scryfall, and a name. */
export function idForm(scryfallIds: ReadonlyMap<string, string>): Form {
  return {
    games: ['pokemon', 'mtg', 'mtg', 'yugioh', 'lorcana', 'onepiece', 'swu', 'fab'],
    count: 200,
    type: (card, draw) => {
      const id = tcgplayerId(card);
      const scryfall = scryfallIds.get(id);
      const ids = scryfall !== undefined && draw.chance(0.7) ? { scryfall } : { tcgplayer: id };
      const name = draw.pick([
        card.name,
        plainName(card.name),
        plainName(card.name).toLowerCase(),
        facesOf(plainName(card.name))[0] ?? '',
      ]);
      return { item: { name, ids }, written: { id: true } };
    },
  };
}

/** The number of its product at TCGplayer, which ends its id in the tree. */
export function tcgplayerId({ id }: Card): string {
  return id.slice(id.lastIndexOf('-') + 1);
}

/** A printing to name; undefined where the card has none that files name. */
function printingOf({ printings }: Card, draw: Draw): string | undefined {
  const named = printings.filter(({ name }) => name !== UNSPECIFIED);
  return named.length === 0 ? undefined : draw.pick(named).name;
}

function details(printing: string | undefined): Details {
  return printing === undefined ? {} : { printing };
}
