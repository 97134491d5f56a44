/** Texts that people type for cards, the same in each run: whole, misspelt, cut and mixed. */
import assert from 'node:assert/strict';
import type { Card } from '../../src/domain/card.ts';
import { withoutBrackets } from '../../src/domain/card-name.ts';
import { gameBySlug, rarityLabel } from '../../src/domain/games.ts';
import { seededRandom, shuffle } from './edited-tree.ts';

type Random = () => number;

/** Makes a text from a card; `undefined` if the card does not allow it. */
type Kind = (card: Card, name: string, random: Random) => string | undefined;

const numbered =
  (make: (name: string, number: string, card: Card) => string): Kind =>
  (card, name) =>
    card.number === null ? undefined : make(name, card.number, card);

const misspelt =
  (edit: (name: string, at: number) => string): Kind =>
  (_card, name, random) => {
    if (name.length < 6) return undefined;
    return edit(name.toLowerCase(), 1 + Math.floor(random() * (name.length - 2)));
  };

const ofWords =
  (least: number, make: (words: readonly string[]) => string): Kind =>
  (_card, name) => {
    const words = name.toLowerCase().split(' ');
    return words.length < least ? undefined : make(words);
  };

/** Texts that people type into a search box. */
export const QUERIES: Readonly<Record<string, Kind>> = {
  name: (_card, name) => name,
  'name as it is printed': (card) => card.name,
  'start of the name': (_card, name) => name.toLowerCase().slice(0, Math.ceil(name.length * 0.6)),
  'a letter left out': misspelt((name, at) => name.slice(0, at) + name.slice(at + 1)),
  'a letter too many': misspelt((name, at) => `${name.slice(0, at)}e${name.slice(at)}`),
  'another letter': misspelt((name, at) => `${name.slice(0, at)}u${name.slice(at + 1)}`),
  'letters swapped': misspelt(
    (name, at) => name.slice(0, at) + name.charAt(at + 1) + name.charAt(at) + name.slice(at + 2),
  ),
  'two letters wrong': misspelt((name, at) => `${name.slice(0, at - 1)}oi${name.slice(at + 1)}`),
  'a word split': misspelt((name, at) => `${name.slice(0, at)} ${name.slice(at)}`),
  'words run together': ofWords(2, (words) => words.join('')),
  'words in another order': ofWords(2, (words) => words.toReversed().join(' ')),
  'first word': ofWords(2, (words) => String(words[0])),
  'last word': ofWords(2, (words) => String(words.at(-1))),
  'two first letters of each word': ofWords(3, (words) =>
    words.map((word) => word.slice(0, 2)).join(' '),
  ),
  'name and number': numbered((name, number) => `${name} ${number}`),
  'name and number without its zeros': numbered(
    (name, number) => `${name} ${number.split('/')[0]?.replace(/^0+/, '')}`,
  ),
  'code and number': numbered((_name, number, { set }) => `${set.code} ${number}`),
  'number alone': numbered((_name, number) => number),
  'misread digits': numbered(
    (name, number) => `${name} ${number.replaceAll('0', 'O').replaceAll('1', 'l')}`,
  ),
  'name and set': ({ set }, name) => `${name} ${set.name}`,
  'set and first word': ({ set }, name) => `${set.name} ${name.split(' ')[0]}`,
  'name and rarity': (card, name) =>
    card.rarity === null
      ? undefined
      : `${name} ${rarityLabel(gameBySlug(card.set.game), card.rarity)}`,
  'name and year': ({ set }, name) => `${name} ${set.releaseDate?.slice(0, 4) ?? ''}`,
  'name and printing': ({ printings }, name) => {
    return printings[0] === undefined ? undefined : `${name} ${printings[0].name}`;
  },
  'name and copy': (_card, name, random) =>
    `${name} ${['psa 10', 'near mint', 'bgs 9.5', 'lp'][Math.floor(random() * 4)]}`,
  'a bound of the price': ({ set }, name) => `${name.split(' ')[0]} game:${set.game} usd>=1`,
  'the set as a field': ({ set }, name) => `set:"${set.name}" ${name.split(' ')[0]}`,
};

/** Forms in which people write a card in a list, a title or a message. */
export const LINES: Readonly<Record<string, Kind>> = {
  name: (_card, name) => name,
  'quantity, name and code': ({ set }, name) => `4 ${name} (${set.code})`,
  'a line of Arena': numbered((name, number, { set }) => `2 ${name} (${set.code}) ${number}`),
  'name and number': numbered((name, number) => `${name} ${number}`),
  'name, set and condition': ({ set }, name) => `1x ${name} - ${set.name} - Lightly Played`,
  title: numbered(
    (name, number, { set }) =>
      `${set.releaseDate?.slice(0, 4) ?? ''} ${set.name} ${name} ${number} PSA 9 MINT`,
  ),
  'title with noise': numbered(
    (name, number, { set }) => `RARE!! ${name} - ${number} - ${set.name} NM card LOOK`,
  ),
  'title with printing and rarity': ({ set, rarity, printings }, name) =>
    `${name} ${set.name} ${rarity ?? ''} ${printings[0]?.name ?? ''}`,
  'another number': numbered((name, number) => `${name} ${number.replace(/\d/, '8')}`),
  'a letter left out, and number': numbered(
    (name, number) => `${name.slice(0, 3)}${name.slice(4)} ${number}`,
  ),
  'two letters wrong, and set': ({ set }, name) =>
    `${name.slice(0, 2)}x${name.slice(3, 5)}x${name.slice(6)} ${set.name}`,
  'name and another year': (_card, name) => `${name} 1987`,
  'code and number': numbered((_name, number, { set }) => `${set.code}-${number}`),
};

/** Creates texts of each kind, `[kind, text]`, which are the same for the same cards. */
export function typedTexts(
  kinds: Readonly<Record<string, Kind>>,
  cards: readonly Card[],
  each: number,
): [kind: string, text: string][] {
  const random = seededRandom(7);
  return Object.entries(kinds).flatMap(([kind, make]) => {
    const texts = new Set<string>();
    for (const card of shuffle(cards, random)) {
      const text = make(card, withoutBrackets(card.name), random);
      if (text !== undefined) texts.add(text.trim());
      if (texts.size === each) break;
    }
    assert.equal(texts.size, each, kind);
    return [...texts].map((text): [string, string] => [kind, text]);
  });
}
