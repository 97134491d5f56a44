/** Texts for people: titles of listings, what a reader of pictures makes of cards, plain lines. */
import type { Card } from '../../src/domain/card.ts';
import { readSetName } from '../../src/domain/card-name.ts';
import { collectorPart } from '../../src/domain/collector-number.ts';
import type { GameSlug } from '../../src/domain/games.ts';
import type { Condition } from '../../src/domain/price.ts';
import { decodeEntities } from '../../src/domain/text.ts';
import type { Draw } from '../search/draw.ts';
import { misreadText } from '../search/ocr.ts';
import { plainName } from '../search/queries.ts';
import { type Catalogue, treatmentOf, type Written } from './catalogue.ts';
import type { Form, Typed } from './line.ts';

const LATIN: readonly GameSlug[] = [
  ...(['pokemon', 'mtg', 'yugioh', 'lorcana', 'onepiece', 'swu', 'fab'] as const),
];
const GAME_WORDS: Readonly<Partial<Record<GameSlug, readonly string[]>>> = {
  pokemon: ['Pokemon', 'Pokémon TCG', 'Pokemon Card', 'PKMN'],
  pokemonjp: ['Pokemon Japanese'],
  mtg: ['MTG', 'Magic the Gathering', 'Magic: The Gathering'],
  yugioh: ['Yugioh', 'Yu-Gi-Oh!', 'YGO', 'Yu-Gi-Oh TCG'],
  lorcana: ['Lorcana', 'Disney Lorcana TCG'],
  onepiece: ['One Piece', 'One Piece TCG', 'OPTCG'],
  swu: ['Star Wars Unlimited', 'SWU', 'Star Wars: Unlimited TCG'],
  fab: ['Flesh and Blood', 'FAB TCG', 'Flesh & Blood'],
};
const GRADES = ['PSA 10', 'PSA 9', 'BGS 9.5', 'CGC 10', 'CGC 9.5', 'PSA 8'];
const GRADE_ENDS = ['', '', ' GEM MINT', ' Graded', ' Slab'];
const CONDITIONS: readonly (readonly [word: string, condition: Condition])[] = [
  ['NM', 'near_mint'],
  ['Near Mint', 'near_mint'],
  ['NM/M', 'near_mint'],
  ['LP', 'lightly_played'],
  ['Lightly Played', 'lightly_played'],
  ['MP', 'moderately_played'],
];
const NOISE = [
  ...['Pack Fresh', 'FREE SHIPPING', 'L@@K', 'HOT', '🔥', '✨', 'Ships Fast!', 'English', 'TCG'],
  ...['RARE', 'Single', 'card', 'WOW!', '⭐⭐⭐', 'Tracked Shipping', 'Mint?', ''],
];

/** Texts on cards in addition to name and number. */
const PRINTED: Readonly<Partial<Record<GameSlug, readonly string[]>>> = {
  pokemon: ['HP 120', 'STAGE 1', 'BASIC', 'Illus. Mitsuhiro Arita', '©2023 Pokémon/Nintendo'],
  pokemonjp: [],
  mtg: ['Illus. Rob Alexander', '™ & © 2022 Wizards of the Coast', 'Creature — Human', 'Instant'],
  yugioh: ['ATK/2500 DEF/2000', '©1996 KAZUKI TAKAHASHI', '1st Edition', '[Spellcaster/Effect]'],
  lorcana: ['Storyborn • Hero', '©Disney', 'Dreamborn • Villain', 'Illus. Nicholas Kole'],
  onepiece: ['CHARACTER', '5000', '©E.O./S.,T.A.', 'Counter +1000', 'Straw Hat Crew'],
  swu: ['UNIT', 'EVENT', '©&™ Lucasfilm Ltd.', 'GROUND'],
  fab: ['Attack Action', '© Legend Story Studios', 'Generic Action', 'Illus. Kevin Sidharta'],
};

/** Games that print the set's code on cards. */
const CODED = new Set<GameSlug>(['mtg', 'swu']);

/** `Charizard ex 199/165 Scarlet & Violet 151 Pokemon PSA 10 GEM MINT 🔥` */
export const TITLE: Form = {
  games: LATIN,
  count: 200,
  type: (card, draw, catalogue) => {
    if (card.number === null) return undefined;
    const { game } = card.set;
    const state = stateOf(draw);
    const rarity = draw.chance(0.4) && card.rarity !== null ? card.rarity : '';
    const set = setWords(card);
    const number = draw.pick(['', '#', 'No. ']) + card.number;
    const written: Written = { set: 'name', number: true, rarity: rarity !== '' };
    const name = withTreatment(card, written, catalogue);
    const parts = draw.pick([
      [name, number, set, rarity],
      [set, name, number, rarity],
      [name, set, rarity, number],
      [name, '-', number, '-', set, rarity],
    ]);
    const isGameFirst = draw.chance(0.5);
    const gameWord = draw.pick(GAME_WORDS[game] ?? [game]);
    const year = draw.chance(0.3) ? (card.set.releaseDate?.slice(0, 4) ?? '') : '';
    const all = [
      ...[draw.pick(NOISE), year, isGameFirst ? gameWord : '', ...parts],
      ...[isGameFirst ? '' : gameWord, state.word, draw.pick(NOISE)],
    ];
    const title = words(all);
    return {
      item: draw.chance(0.15) ? title.toUpperCase() : title,
      written,
      ...state.meant,
    };
  },
};

/** A name with letters misread, among other text of the card. */
export const OCR: Form = {
  games: LATIN,
  count: 200,
  type: (card, draw, catalogue) => {
    const { game } = card.set;
    const written: Written = CODED.has(game) ? { set: 'code', number: true } : { number: true };
    if (card.number === null || catalogue.needsTreatment(card, written)) return undefined;
    if (plainName(card.name).length < 6 || catalogue.rivals(card, written).length > 0) {
      return undefined;
    }
    const name = misreadText(plainName(decodeEntities(card.name)), draw);
    const first = draw.pick(PRINTED[game] ?? []);
    const last = draw.pick(PRINTED[game] ?? []);
    const text = words([name, first, printedNumber(card, draw), last]);
    return { item: draw.chance(0.3) ? text.toUpperCase() : text, written };
  },
};

/** `charizard base set 4/102`, and the other orders of the three. */
export const PLAIN: Form = {
  games: [...LATIN, 'pokemonjp'],
  count: 200,
  type: (card, draw, catalogue): Typed | undefined => {
    if (card.number === null) return undefined;
    const isCode = draw.chance(0.3);
    const set = isCode ? card.set.code : setWords(card);
    const written: Written = { set: isCode ? 'code' : 'name', number: true };
    const name = withTreatment(card, written, catalogue);
    const number = draw.pick(['', '', '#']) + draw.pick([card.number, collectorPart(card.number)]);
    const text = words(
      draw.pick([
        [name, set, number],
        [name, number, set],
        [set, number, name],
        [set, name, number],
      ]),
    );
    return { item: draw.chance(0.6) ? text.toLowerCase() : text, written };
  },
};

function stateOf(draw: Draw): { word: string; meant: Pick<Typed, 'grade' | 'condition'> } {
  if (draw.chance(0.4)) {
    const grade = draw.pick(GRADES);
    return { word: grade + draw.pick(GRADE_ENDS), meant: { grade } };
  }
  if (draw.chance(0.3)) return { word: '', meant: {} };
  const [word, condition] = draw.pick(CONDITIONS);
  return { word, meant: { condition } };
}

/** A name with the words of its brackets, where other cards are alike without. */
function withTreatment(card: Card, written: Written, catalogue: Catalogue): string {
  const name = plainName(decodeEntities(card.name));
  const isNeeded = card.set.game === 'fab' || catalogue.needsTreatment(card, written);
  return words([name, isNeeded ? treatmentOf(card) : '']);
}

function setWords({ set }: Card): string {
  return readSetName(decodeEntities(set.name)).name;
}

/** A number as printed on cards. Text recognition sometimes reads a zero as a letter. */
function printedNumber({ set, number }: Card, draw: Draw): string {
  const printed = draw.chance(0.1) ? (number ?? '').replace('0', 'O') : (number ?? '');
  return CODED.has(set.game) ? `${printed} ${set.code} • EN` : printed;
}

function words(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' ');
}
