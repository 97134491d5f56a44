import { GAME_SLUGS } from '../../domain/games.ts';
import { languageCalled } from '../../domain/languages.ts';
import { hasFact, WORD_FACT_NAMES, type WordFact } from '../../domain/searched-facts.ts';
import { foldText, foldWords } from '../../domain/text.ts';
import { type Searched, STATES } from './evaluate.ts';
import type { Remark } from './field.ts';
import type { TextField } from './tree.ts';
import { gamesOf, isArtist, meaningsOf, respellSet, setsOf } from './values.ts';

type Doubt = (value: string, searched: Searched) => Remark | undefined;

/** Why no card can have a value, by field. Other fields may have any value. */
const DOUBTS: Readonly<Partial<Record<TextField, Doubt>>> = {
  set(value, searched) {
    if (setsOf(value, false, searched).size > 0) return undefined;
    const respelt = respellSet(value, searched);
    const suggestion = respelt === undefined ? undefined : `set:"${respelt}"`;
    return { message: `No set is called ${value}.`, suggestion };
  },
  game(value) {
    if (gamesOf(value).size > 0) return undefined;
    return { message: `No game is called ${value}: use ${GAME_SLUGS.join(', ')}.` };
  },
  rarity(value, { filters }) {
    const isKnown = filters.hasRarity(value) || meaningsOf(foldWords(value), ['rarity']).length > 0;
    return isKnown ? undefined : { message: `No card has the rarity ${value}.` };
  },
  is(value) {
    const isState = Object.hasOwn(STATES, foldText(value));
    const meanings = meaningsOf(foldWords(value), ['rarity', 'printing', 'treatment']);
    return isState || meanings.length > 0
      ? undefined
      : { message: `Cardprice does not know which cards are ${value}.` };
  },
  lang(value) {
    if (languageCalled(value) !== undefined) return undefined;
    return { message: `No language is called ${value}.` };
  },
  artist(value, { facts }) {
    if (facts().artists.some((artist) => isArtist(artist, value, false))) return undefined;
    return { message: `No card has an artist called ${value}.` };
  },
  ...Object.fromEntries(WORD_FACT_NAMES.map((field) => [field, doubtOfFact(field)])),
  id(value, { docWithId }) {
    return docWithId(value) === undefined ? { message: `No card has the id ${value}.` } : undefined;
  },
};

function doubtOfFact(field: WordFact): Doubt {
  return (value, { facts }) => {
    const isKnown = facts().words.some((words) => hasFact(words, field, value));
    return isKnown ? undefined : { message: `No card has the ${field} ${value}.` };
  };
}

/** Returns why no card can have a value in a field; undefined if cards can. */
export function doubt(field: TextField, value: string, searched: Searched): Remark | undefined {
  return DOUBTS[field]?.(value, searched);
}
