import type { NumberField, TextField } from './tree.ts';

/**
 * A field that queries may name: one of ours, an order, or a fact that the search does not store.
 */
export type NamedField =
  | { readonly kind: 'field'; readonly text?: TextField; readonly number?: NumberField }
  | { readonly kind: 'id'; readonly space: string }
  | { readonly kind: 'sort' }
  | { readonly kind: 'unknown'; readonly what: string };

type Row = readonly [field: NamedField, names: string];

function text(field: TextField, number?: NumberField): NamedField {
  return { kind: 'field', text: field, ...(number && { number }) };
}

function number(field: NumberField): NamedField {
  return { kind: 'field', number: field };
}

function unknown(what: string): NamedField {
  return { kind: 'unknown', what };
}

/** The names of fields: ours, and those of Scryfall and the Pokémon TCG API that mean ours. */
const ROWS: readonly Row[] = [
  [text('name'), 'name'],
  [text('set'), 'set s e edition expansion set.id set.name'],
  [text('code'), 'code setcode set.code set.ptcgocode'],
  [text('rarity', 'rarity'), 'rarity r'],
  [text('number', 'number'), 'number num cn'],
  [text('game'), 'game'],
  [text('printing'), 'printing finish finishes'],
  [text('lang'), 'lang language'],
  [text('is'), 'is'],
  [text('id'), 'id'],
  [number('price'), 'price usd market'],
  [number('price'), 'eur gbp jpy'],
  [number('year'), 'year'],
  [number('date'), 'date released set.releasedate'],
  [number('change1d'), 'change1d'],
  [number('change7d'), 'change7d change'],
  [number('change30d'), 'change30d'],
  [{ kind: 'id', space: 'tcgplayer' }, 'tcgplayer tcgplayerid tcgplayer_id tcgplayer.id'],
  [{ kind: 'id', space: 'cardmarket' }, 'cardmarket cardmarketid cardmarket_id mkm'],
  [{ kind: 'id', space: 'scryfall' }, 'scryfall scryfallid scryfall_id'],
  [{ kind: 'id', space: 'pricecharting' }, 'pricecharting'],
  [{ kind: 'id', space: 'pokemontcg' }, 'pokemontcg'],
  [{ kind: 'sort' }, 'sort order orderby'],
  [text('artist'), 'artist a artists illustrator'],
  [text('type'), 'type types t supertype supertypes subtype subtypes'],
  [text('color'), 'color colors c ink aspect'],
  [text('attribute'), 'attribute attributes arena'],
  [text('keyword'), 'keyword keywords kw'],
  [text('format'), 'format f legal'],
  [text('mark'), 'mark regulationmark'],
  [number('hp'), 'hp'],
  [number('cost'), 'cost cmc mv manavalue'],
  [number('power'), 'power pow atk strength'],
  [number('toughness'), 'toughness tou willpower'],
  [number('defense'), 'defense def'],
  [number('life'), 'life'],
  [number('level'), 'level rank'],
  [number('loyalty'), 'loyalty loy'],
  [number('lore'), 'lore'],
  [number('pitch'), 'pitch'],
  [number('counter'), 'counter'],
  [number('retreat'), 'retreat retreatcost convertedretreatcost'],
  [number('pokedex'), 'pokedex dex nationalpokedexnumbers'],
  [unknown('color identities'), 'identity ci'],
  [unknown('texts of cards'), 'oracle o text flavor ft flavortext rules abilities attacks'],
  [unknown('the symbols of costs'), 'mana m'],
  [unknown('weaknesses'), 'weaknesses resistances'],
  [unknown('bans'), 'legalities banned restricted'],
  [unknown('evolutions'), 'evolvesfrom evolvesto'],
];

const BY_NAME = new Map(
  ROWS.flatMap(([field, names]) => names.split(' ').map((name) => [name, field] as const)),
);

/** The names of all fields, for suggestions. */
export const FIELD_NAMES: readonly string[] = [...BY_NAME.keys()];

/** Returns the field with a name; `attacks.name` is a part of `attacks`. */
export function findField(name: string): NamedField | undefined {
  const lower = name.toLowerCase();
  const field = BY_NAME.get(lower) ?? BY_NAME.get(lower.split('.', 1)[0] ?? '');
  // `set.foo` is not a field, but `attacks.foo` is as unknown as `attacks`.
  return BY_NAME.has(lower) || field?.kind === 'unknown' ? field : undefined;
}

/** The rarities that have an order, lowest first, as folded by the search. */
export const RARITY_RANKS: readonly string[] = ['common', 'uncommon', 'rare', 'mythic'];
