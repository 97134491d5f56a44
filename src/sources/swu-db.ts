import { type Static, Type } from 'typebox';
import type { Millis } from '../domain/day.ts';
import { type CardFacts, present } from '../domain/facts.ts';
import type { Observation } from '../domain/observation.ts';
import type { CardReference, OpenFeed } from './contract/feed.ts';
import type { FeedSource, Remote } from './contract/source.ts';
import type { AdaptedRecord } from './kit/feed-batcher.ts';
import { openJsonRecords } from './kit/json-records.ts';
import { EMPTY_REFERENCE, observationsFrom } from './kit/observations.ts';
import { Amount, compileParser, compileResponseParser, Label, Nullish } from './kit/schema.ts';

/**
 * Cards of SWU-DB's API (`/cards/{set}`), with fields in PascalCase and numbers as text. Only the
 * fields in use are validated.
 */

const Text = Nullish(Type.String({ maxLength: 5000 }));
const Texts = Nullish(Type.Array(Label));

const RawFacts = {
  Type: Text,
  /** In capitals. */
  Traits: Texts,
  Aspects: Texts,
  Arenas: Texts,
  Keywords: Texts,
  Cost: Text,
  HP: Text,
  Power: Text,
  /** Symbols are in braces: `{{Exhaust}}`. */
  FrontText: Text,
  EpicAction: Text,
  BackText: Text,
  Artist: Text,
};

const RawCard = Type.Object({
  ...RawFacts,
  Set: Label,
  Number: Label,
  Name: Label,
  Subtitle: Nullish(Type.String({ maxLength: 500 })),
  Rarity: Nullish(Type.String({ maxLength: 100 })),
  /** `Normal`, `Hyperspace`, `Showcase`; contains `Foil` if foils have their own record. */
  VariantType: Label,
  FrontArt: Nullish(Type.String({ maxLength: 2000 })),
  /** US dollars; `0.00` is unknown. */
  MarketPrice: Nullish(Amount),
  LowPrice: Nullish(Amount),
  FoilPrice: Nullish(Amount),
  LowFoilPrice: Nullish(Amount),
});

export type RawCard = Static<typeof RawCard>;

/** @throws BadRecord for anything but a card of SWU-DB. */
export const parseCard = compileParser(RawCard);

/** Adapts a card with its prices at TCGplayer, which SWU-DB repeats. */
export function adaptCard(raw: RawCard, observedAt: Millis): AdaptedRecord {
  const observations = adaptPrices(raw, observedAt);
  return { items: [{ card: adaptReference(raw), observations, facts: adaptFacts(raw) }] };
}

function adaptFacts(raw: RawCard): CardFacts {
  const front = [raw.FrontText, raw.EpicAction].filter(Boolean).join('\n');
  const text = [front, raw.BackText].filter(Boolean).join('\n//\n');
  return present({
    types: [raw.Type ?? []].flat(),
    subtypes: raw.Traits?.map(titleCase),
    colors: raw.Aspects,
    attributes: raw.Arenas,
    keywords: raw.Keywords,
    cost: raw.Cost,
    hp: raw.HP,
    power: raw.Power,
    text: text.replace(/[{}]/g, ''),
    artist: raw.Artist,
  });
}

/** `BOUNTY HUNTER` becomes `Bounty Hunter`. */
function titleCase(trait: string): string {
  return trait.toLowerCase().replace(/\b\p{Ll}/gu, (letter) => letter.toUpperCase());
}

function adaptReference(raw: RawCard): CardReference {
  const variant = variantOf(raw);
  return {
    ...EMPTY_REFERENCE,
    externalId: [raw.Set, raw.Number, ...(isPlain(raw) ? [] : [raw.VariantType])].join('/'),
    game: 'swu',
    name: nameOf(raw),
    number: raw.Number,
    setCode: raw.Set,
    rarity: raw.Rarity || null,
    variant,
    image: raw.FrontArt || null,
  };
}

/** Returns `Director Krennic - Aspiring to Authority`, or only the name. */
export function nameOf({ Name, Subtitle }: RawCard): string {
  return Subtitle ? `${Name} - ${Subtitle}` : Name;
}

function isPlain({ VariantType }: RawCard): boolean {
  return VariantType === 'Normal' || VariantType === 'Standard';
}

/** Returns the art without the finish: `Hyperspace Foil` is the foil of the card `Hyperspace`. */
function variantOf(raw: RawCard): string | null {
  if (isPlain(raw)) return null;
  const art = raw.VariantType.replace(/\bFoil\b/, '').trim();
  return art === '' || art === 'Standard' ? null : art;
}

function adaptPrices(raw: RawCard, observedAt: Millis): Observation[] {
  const basis = { marketplace: 'tcgplayer', currency: 'USD', observedAt } as const;
  return [
    ...observationsFrom({
      ...basis,
      printing: ownPrinting(raw),
      amounts: { market: raw.MarketPrice, low: raw.LowPrice },
    }),
    ...observationsFrom({
      ...basis,
      printing: 'Foil',
      amounts: { market: raw.FoilPrice, low: raw.LowFoilPrice },
    }),
  ];
}

/** Returns the printing of the plain price. Some arts exist only as foils. */
function ownPrinting(raw: RawCard): string | undefined {
  if (/\bFoil\b/.test(raw.VariantType)) return 'Foil';
  return isPlain(raw) || raw.VariantType === 'Hyperspace' ? 'Normal' : undefined;
}

/**
 * Opens sets of cards of SWU-DB's API: a file or a folder.
 *
 * @throws OperatorError if the files cannot be read.
 */
export const openSwuDb: OpenFeed = (location, options) => {
  return openJsonRecords(location, options, {
    name: 'swu-db',
    games: ['swu'],
    description: 'a set of cards of SWU-DB',
    version: 2,
    parse: parseCard,
    label: (raw) => `${raw.Set} ${raw.Number} ${nameOf(raw)}`,
    adapt: adaptCard,
  });
};

/** The codes of the sets to request: SWU-DB has no list of its sets. */
const SETS = ['SOR', 'SHD', 'TWI', 'JTL', 'LOF', 'SEC', 'LAW'];

const parseSet = compileResponseParser('SWU-DB', Type.Object({ data: Type.Array(Type.Unknown()) }));

export const SWU_DB_REMOTE: Remote = {
  base: 'https://api.swu-db.com',
  pauseMs: 250,
  everyHours: 20,
  content: { kind: 'pages', saveAs: 'swu-db.json', crawl: crawlSets },
};

function* crawlSets(keep: (item: unknown) => void): Generator<string, void, unknown> {
  for (const set of SETS) {
    const { data } = parseSet(yield `cards/${set.toLowerCase()}?format=json`);
    for (const card of data) keep(card);
  }
}

export const SWU_DB: FeedSource = {
  name: 'swu-db',
  summary: 'Cards of Star Wars: Unlimited with prices of TCGplayer.',
  takes: "Sets of cards of SWU-DB's API, a file or a folder.",
  example: './swu-db',
  open: openSwuDb,
  remote: SWU_DB_REMOTE,
};
