/**
 * Facts of cards: what a card is, apart from its name, set and prices. Facts that mean the same
 * have the same name in all games (docs/facts.md). Facts that no source gives are absent.
 */

/** An attack of a Pokémon. Its cost lists one energy type per energy. */
export interface Attack {
  readonly name: string;
  readonly cost?: readonly string[];
  /** As printed: `60`, `60+`, `100×`. */
  readonly damage?: string;
  readonly text?: string;
}

/** An ability of a card with a name; `kind` is the label above it, if there is one. */
export interface Ability {
  readonly name: string;
  /** `Ability`, `Pokémon Power`, `Poké-Body`, `Ancient Trait`. */
  readonly kind?: string;
  readonly text?: string;
}

/** A weakness or resistance to a type: `{ type: 'Water', value: '×2' }`. */
export interface TypeModifier {
  readonly type: string;
  /** Absent if the source gives only the type. */
  readonly value?: string;
}

/** Values of stats are texts as printed, because some are `*`, `X` or `1+*`. */
export interface CardStats {
  /** The total cost to play it: mana value, ink, resources. */
  readonly cost?: string;
  /** Pokémon, Star Wars: Unlimited. */
  readonly hp?: string;
  /** Power, ATK or strength. */
  readonly power?: string;
  /** Toughness or willpower. */
  readonly toughness?: string;
  /** DEF or defense. */
  readonly defense?: string;
  /** One Piece leaders, Flesh and Blood heroes. */
  readonly life?: string;
  /** The level of a Pokémon; level or rank in Yu-Gi-Oh!. */
  readonly level?: string;
  readonly loyalty?: string;
  readonly lore?: string;
  readonly pitch?: string;
  readonly intellect?: string;
  /** One Piece: what discarding the card adds to a power. */
  readonly counter?: string;
  /** Yu-Gi-Oh!: the rating of a Link monster. */
  readonly link?: string;
  /** Yu-Gi-Oh!: the Pendulum scale. */
  readonly scale?: string;
}

export interface CardFacts extends CardStats {
  /** Only Pokémon: `Pokémon`, `Trainer`, `Energy`. */
  readonly supertype?: string;
  /** The energy types of a Pokémon; in other games the card types, `Legendary`, `Creature`. */
  readonly types?: readonly string[];
  /** Subdivisions of the types: stages, creature types, races, classifications, traits. */
  readonly subtypes?: readonly string[];
  /** Colours, inks, aspects. */
  readonly colors?: readonly string[];
  /** Attributes of Yu-Gi-Oh! and One Piece; arenas of Star Wars: Unlimited. */
  readonly attributes?: readonly string[];
  readonly keywords?: readonly string[];
  /** Magic: the symbols of the cost, `{2}{U}`. */
  readonly manaCost?: string;
  /** The rules text, plain, in lines. Faces are separated by a line `//`. */
  readonly text?: string;
  readonly flavorText?: string;
  /** Pokémon: the rules of Trainer cards and of rule boxes. */
  readonly rules?: readonly string[];
  readonly abilities?: readonly Ability[];
  readonly attacks?: readonly Attack[];
  readonly weaknesses?: readonly TypeModifier[];
  readonly resistances?: readonly TypeModifier[];
  /** The energies that a retreat costs. */
  readonly retreat?: readonly string[];
  readonly evolvesFrom?: string;
  readonly evolvesTo?: readonly string[];
  readonly nationalPokedexNumbers?: readonly number[];
  readonly regulationMark?: string;
  /** Several artists are joined by ` & `. */
  readonly artist?: string;
  /** The formats in which the card may be played, or was banned: `{ standard: 'legal' }`. */
  readonly legalities?: Readonly<Record<string, Legality>>;
}

/** A format is absent if the card is neither legal nor banned in it. */
export type Legality = 'legal' | 'restricted' | 'banned';

/** The source's own name for the card, for interfaces that serve the names of that source. */
export interface NamedBySource {
  readonly id: string;
  readonly name: string;
  readonly rarity?: string;
}

/** The facts of a card as one source gives them. */
export interface SourceFacts extends CardFacts {
  readonly named?: NamedBySource;
}

/** Facts of a card by source; keys are names in the registry of sources. */
export type FactsBySource = Readonly<Record<string, SourceFacts>>;

/**
 * These parts of a card come from one source as a whole, because sources divide its text
 * differently.
 */
const WORDING = ['text', 'rules', 'abilities', 'attacks'] as const;

/**
 * Merges the facts of one card from several sources. Each fact is from the first source that gives
 * it, and the whole {@link WORDING} is from one source: sources of one game come before TCGCSV,
 * which covers all.
 */
export function mergeFacts(bySource: FactsBySource): CardFacts {
  const [first = '', ...others] = Object.keys(bySource).sort((a, b) => trustOf(a) - trustOf(b));
  let merged: CardFacts = withoutNames(bySource[first]);
  for (const source of others) {
    const facts = withoutNames(bySource[source]);
    if (hasWording(merged)) for (const name of WORDING) delete facts[name];
    merged = { ...facts, ...merged };
  }
  return merged;
}

/** Returns a copy without the source's own name for the card. */
function withoutNames({ named: _, ...facts }: SourceFacts = {}) {
  return facts;
}

function hasWording(facts: CardFacts): boolean {
  return WORDING.some((name) => facts[name] !== undefined);
}

/** The catalogue of all games comes last. The starter catalogue, a copy, comes after it. */
function trustOf(source: string): number {
  return ['tcgcsv', 'starter'].indexOf(source);
}

/** An object whose values may be absent. */
type Sparse<Value> = { readonly [Name in keyof Value]: Value[Name] | null | undefined };

/** Removes absent values from facts, or from a part of them: null, empty texts and empty lists. */
export function present<Value extends object = CardFacts>(facts: Sparse<Value>): Value {
  const kept = Object.entries(facts).filter(([, fact]) => {
    return !(fact === undefined || fact === null || fact === '' || isEmptyList(fact));
  });
  return Object.fromEntries(kept) as Value;
}

function isEmptyList(fact: unknown): boolean {
  return Array.isArray(fact) && fact.length === 0;
}

const LEGALITIES: readonly Legality[] = ['legal', 'restricted', 'banned'];

/** Reads legalities as sources write them: `{ standard: 'Legal', modern: 'not_legal' }`. */
export function readLegalities(
  written: Readonly<Record<string, string>> | null | undefined,
): CardFacts['legalities'] {
  const read = Object.entries(written ?? {}).flatMap(([format, text]) => {
    const legality = LEGALITIES.find((one) => one === text.toLowerCase());
    return legality === undefined ? [] : [[format, legality] as const];
  });
  return read.length === 0 ? undefined : Object.fromEntries(read);
}
