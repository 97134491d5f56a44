import { type CardFacts, present } from '../../domain/facts.ts';
import type { GameSlug } from '../../domain/games.ts';
import { partsOf, plainText, typeLine } from '../kit/plain-text.ts';
import { printedText } from '../kit/schema.ts';
import { type ExtendedData, pokemonFacts } from './pokemon-facts.ts';

/** Facts in TCGplayer's extended data, whose fields have almost the same names for all games. */

type Read = (text: string) => Partial<CardFacts>;

function whole(name: keyof CardFacts): Read {
  return (text) => ({ [name]: text });
}

function list(name: keyof CardFacts): Read {
  return (text) => ({ [name]: partsOf(text) });
}

function prose(name: 'text' | 'flavorText'): Read {
  return (text) => ({ [name]: plainText(text) });
}

/** The fact in each field of extended data. Fields with lists are combined. */
const FIELDS: Readonly<Record<string, Read>> = {
  cardtype: list('types'),
  monstertype: list('subtypes'),
  subtypes: list('subtypes'),
  cardsubtype: list('subtypes'),
  class: list('subtypes'),
  talent: list('subtypes'),
  traits: list('subtypes'),
  classification: list('subtypes'),
  // For Magic, this is the whole type line.
  subtype: typeLine,
  color: list('colors'),
  inktype: list('colors'),
  aspect: list('colors'),
  attribute: list('attributes'),
  arenatype: list('attributes'),
  keywords: list('keywords'),
  cost: whole('cost'),
  costink: whole('cost'),
  hp: whole('hp'),
  power: whole('power'),
  p: whole('power'),
  attack: whole('power'),
  strength: whole('power'),
  t: whole('toughness'),
  willpower: whole('toughness'),
  defense: whole('defense'),
  defensevalue: whole('defense'),
  life: whole('life'),
  level: whole('level'),
  rank: whole('level'),
  linkrating: whole('link'),
  pendulumscale: whole('scale'),
  lorevalue: whole('lore'),
  pitchvalue: whole('pitch'),
  intellect: whole('intellect'),
  counterplus: whole('counter'),
  artist: whole('artist'),
  cardtext: prose('text'),
  oracletext: prose('text'),
  description: prose('text'),
  flavortext: prose('flavorText'),
};

/** Only Pokémon have these. */
const POKEMON_FIELDS =
  /^(?:cardtype|stage|hp|cardtext|attack[1-4]|weakness|resistance|retreatcost)$/;

/** The names of fields in JSON and CSV files, in lower case. */
const NAMES = new Map<string, string>();

function nameOf(written: string): string {
  const known = NAMES.get(written);
  if (known !== undefined) return known;
  const name = written.toLowerCase().replace(/[^a-z\d]/g, '');
  NAMES.set(written, name);
  return name;
}

/** Returns the facts in the extended data of a card; undefined if there are none. */
export function factsOf(
  game: GameSlug,
  extendedData: readonly { readonly name: string; readonly value: string | null }[],
): CardFacts | undefined {
  const isPokemon = game === 'pokemon' || game === 'pokemonjp';
  const data = new Map<string, string>();
  for (const { name: written, value } of extendedData) {
    const name = nameOf(written);
    const isKnown = isPokemon ? POKEMON_FIELDS.test(name) : Object.hasOwn(FIELDS, name);
    const text = isKnown ? printedText(value) : null;
    if (text !== null) data.set(name, text);
  }
  if (data.size === 0) return undefined;
  return isPokemon ? pokemonFacts(data) : generalFacts(data);
}

function generalFacts(data: ExtendedData): CardFacts {
  let facts: CardFacts = {};
  for (const [name, text] of data) {
    const read = FIELDS[name]?.(text) ?? {};
    const subtypes = [...(facts.subtypes ?? []), ...(read.subtypes ?? [])];
    facts = { ...facts, ...read, subtypes };
  }
  return present(facts);
}
