/** Decklists as programs for playing and collecting write them. */
import type { Card } from '../../src/domain/card.ts';
import { facesOf } from '../../src/domain/card-name.ts';
import { collectorPart } from '../../src/domain/collector-number.ts';
import type { Draw } from '../search/draw.ts';
import { plainName } from '../search/queries.ts';
import { type Catalogue, treatmentOf, type Written } from './catalogue.ts';
import type { Form, Typed } from './line.ts';
import { liveCode } from './other-names.ts';

const BY_CODE: Written = { set: 'code', number: true };
const BY_NAME: Written = { set: 'name', number: true };

/** `4 Lightning Bolt (M11) 149` */
export const ARENA: Form = {
  games: ['mtg'],
  count: 100,
  type: (card, draw, catalogue) => {
    const number = plainNumber(card);
    if (number === undefined || catalogue.needsTreatment(card, BY_CODE)) return undefined;
    const quantity = quantityOf(draw);
    return {
      item: `${quantity} ${arenaName(card, draw)} (${card.set.code}) ${number}`,
      written: BY_CODE,
      quantity,
    };
  },
};

/** `1 Sol Ring (C21) 263 *F*` */
export const MOXFIELD: Form = {
  games: ['mtg'],
  count: 100,
  type: (card, draw, catalogue) => {
    if (card.number === null || catalogue.needsTreatment(card, BY_CODE)) return undefined;
    const isFoil = card.printings.some(({ name }) => name === 'Foil') && draw.chance(0.6);
    const quantity = quantityOf(draw);
    const count = draw.pick([`${quantity}`, `${quantity}x`]);
    const code = draw.pick([card.set.code, card.set.code.toLowerCase()]);
    const mark = isFoil ? ' *F*' : '';
    return {
      item: `${count} ${plainName(card.name)} (${code}) ${card.number}${mark}`,
      written: BY_CODE,
      quantity,
      ...(isFoil ? { printing: 'Foil' } : {}),
    };
  },
};

/** `4 Pikachu ex SSP 57` */
export const PTCGL: Form = {
  games: ['pokemon'],
  count: 200,
  type: (card, draw, catalogue) => {
    const code = liveCode(card.set);
    if (code === undefined || card.number === null) return undefined;
    if (catalogue.needsTreatment(card, BY_NAME)) return undefined;
    const quantity = quantityOf(draw);
    const number = withoutZeros(collectorPart(card.number));
    return {
      item: `${draw.pick(['', '* '])}${quantity} ${plainName(card.name)} ${code} ${number}`,
      written: BY_NAME,
      quantity,
    };
  },
};

/** `4 Elsa - Spirit of Winter`, `3 | Luke Skywalker | Faithful Friend`, `3x Hurl (red) OUT148` */
export const OTHER_DECKS: Form = {
  games: ['lorcana', 'swu', 'fab', 'onepiece'],
  count: 200,
  type: (card, draw, catalogue) => {
    if (card.number === null) return undefined;
    if (card.set.game === 'fab') return fabLine(card, draw);
    const hasTreatment = treatmentOf(card) !== '';
    if (hasTreatment && catalogue.needsTreatment(card, { number: true })) return undefined;
    if (card.set.game === 'onepiece') return onePieceLine(card, draw);
    return isOnly(card, catalogue) ? nameLine(card, draw) : codeLine(card, draw);
  },
};

/** Whether a name alone means the card. */
function isOnly(card: Card, catalogue: Catalogue): boolean {
  return catalogue.namesakes(card).length === 1;
}

function nameLine(card: Card, draw: Draw): Typed {
  const quantity = quantityOf(draw);
  const name = plainName(card.name);
  const isTable = card.set.game === 'swu' && draw.chance(0.5);
  const item = isTable ? `${quantity} | ${name.replace(' - ', ' | ')}` : `${quantity} ${name}`;
  return { item, written: {}, quantity };
}

function codeLine(card: Card, draw: Draw): Typed {
  const quantity = quantityOf(draw);
  const name = plainName(card.name);
  const [code, number] = [card.set.code, card.number ?? ''];
  const item = draw.pick([
    `${quantity} ${name} (${code}) ${collectorPart(number)}`,
    `${quantity}x ${name} ${code} ${number}`,
    `${quantity} ${code}_${collectorPart(number).padStart(3, '0')} ${name}`,
  ]);
  return { item, written: BY_CODE, quantity };
}

function fabLine(card: Card, draw: Draw): Typed {
  const quantity = quantityOf(draw);
  const pitch = treatmentOf(card);
  const name = plainName(card.name) + (pitch === '' ? '' : ` (${pitch.toLowerCase()})`);
  const number = card.number ?? '';
  const item = draw.pick([`${quantity}x ${name} ${number}`, `${quantity} ${name} [${number}]`]);
  return { item, written: { number: true }, quantity };
}

function onePieceLine(card: Card, draw: Draw): Typed {
  const quantity = quantityOf(draw);
  const [name, number] = [plainName(card.name), card.number ?? ''];
  const item = draw.pick([
    `${quantity} ${name} ${number}`,
    `${quantity}x${number} ${name}`,
    `${quantity} ${name} (${number})`,
  ]);
  return { item, written: { number: true }, quantity };
}

/** Arena writes the front face of cards that are turned over, and no signs in numbers. */
function arenaName(card: Card, draw: Draw): string {
  const faces = facesOf(plainName(card.name));
  return draw.chance(0.5) ? (faces[0] ?? '') : faces.join(' // ');
}

function plainNumber({ number }: Card): string | undefined {
  return number !== null && /^\d+$/.test(number) ? number : undefined;
}

function withoutZeros(number: string): string {
  return number.replace(/^0+(?=\d)/, '');
}

function quantityOf(draw: Draw): number {
  return draw.pick([1, 1, 1, 2, 3, 4, 4, 4]);
}
