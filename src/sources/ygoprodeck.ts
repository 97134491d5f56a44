import { type Static, Type } from 'typebox';
import type { Millis } from '../domain/day.ts';
import { type CardFacts, present, readLegalities } from '../domain/facts.ts';
import { type LanguageCode, languageCalled } from '../domain/languages.ts';
import type { FeedItem, OpenFeed } from './contract/feed.ts';
import type { FeedSource, Remote } from './contract/source.ts';
import { BadRecord } from './io/json.ts';
import { type AdaptedRecord, combine } from './kit/feed-batcher.ts';
import { openJsonRecordFiles } from './kit/json-records.ts';
import { EMPTY_REFERENCE, observationsFrom } from './kit/observations.ts';
import { compileParser, Label, Nullish, parseCents, parseDate } from './kit/schema.ts';
import { findCardFiles, readSetLists } from './kit/set-lists.ts';

/**
 * Cards of YGOPRODeck's `cardinfo.php`, whose response is usually saved as `cardinfo.json`, and the
 * dates of sets in its `cardsets.php`. Only the fields in use are validated.
 */

const RawSet = Type.Object({
  set_name: Label,
  /** `2002-03-08` */
  tcg_date: Nullish(Type.String({ maxLength: 20 })),
});

const parseSets = compileParser(Type.Array(RawSet, { minItems: 1 }));

const RawPrinting = Type.Object({
  set_name: Label,
  /** Empty for the few printings without a code. */
  set_code: Type.String({ maxLength: 100 }),
  set_rarity: Type.String({ maxLength: 100 }),
  /** US dollars; `0` is unknown. The adapter validates it. */
  set_price: Nullish(Type.String({ maxLength: 100 })),
});

const Text = Nullish(Type.String({ maxLength: 10_000 }));
const Stat = Nullish(Type.Integer());

const RawFacts = {
  /** `Effect Monster`, `Spell Card`. */
  type: Text,
  /** `Dragon`; for spells and traps `Continuous`. */
  race: Text,
  attribute: Text,
  desc: Text,
  atk: Stat,
  def: Stat,
  /** Also the rank of Xyz monsters. */
  level: Stat,
  linkval: Stat,
  scale: Stat,
  /** `{ "ban_tcg": "Forbidden" }` */
  banlist_info: Nullish(Type.Record(Type.String(), Type.String())),
};

const RawCard = Type.Object({
  ...RawFacts,
  /** The passcode in the card's corner; cards without one have none. */
  id: Nullish(Type.Integer()),
  name: Label,
  /** Its sibling `card_prices`, the lowest prices of all printings, is ignored. */
  card_sets: Type.Optional(Type.Array(Type.Unknown())),
  /** Distinguishes cards of this source from other objects with a name. */
  card_images: Type.Array(Type.Unknown()),
});

export type RawPrinting = Static<typeof RawPrinting>;
export type RawCard = Static<typeof RawCard>;

/** @throws BadRecord for anything but a card of YGOPRODeck; `card_sets` is not validated. */
export const parseCard = compileParser(RawCard);

/** @throws BadRecord for anything but a member of `card_sets`. */
export const parsePrinting = compileParser(RawPrinting);

const BANS: Readonly<Record<string, string>> = {
  Forbidden: 'banned',
  Banned: 'banned',
  Limited: 'restricted',
  'Semi-Limited': 'restricted',
};

function adaptFacts(raw: RawCard): CardFacts {
  const bans = Object.entries(raw.banlist_info ?? {}).map(([list, ban]) => {
    return [list.replace(/^ban_/, ''), BANS[ban] ?? ban] as const;
  });
  const stat = (value: number | null | undefined) => value?.toString();
  return present({
    types: [raw.type ?? []].flat(),
    subtypes: [raw.race ?? []].flat(),
    attributes: [raw.attribute ?? []].flat(),
    level: stat(raw.level),
    power: stat(raw.atk),
    defense: stat(raw.def),
    link: stat(raw.linkval),
    scale: stat(raw.scale),
    text: raw.desc?.replace(/\r\n/g, '\n'),
    legalities: readLegalities(Object.fromEntries(bans)),
  });
}

/** Facts about all cards of a file. */
interface AdaptContext {
  readonly observedAt: Millis;
  /** The release dates of sets, by name. */
  readonly released: ReadonlyMap<string, string | null>;
}

/** Adapts a card: one item for each set and rarity in which it was printed. */
export function adaptCard(raw: RawCard, context: AdaptContext): AdaptedRecord {
  const listed = raw.card_sets ?? [];
  if (listed.length === 0) return { items: [], skipped: ['card that is in no set'] };
  const { printings, broken } = parsePrintings(listed);
  const byId = Map.groupBy(printings, (printing) => externalIdOf(raw, printing));
  const adapted = [...byId.values()].map((same) => adaptSame(raw, same, context));
  return combine([...adapted, { items: [], broken }]);
}

/**
 * Adapts a card of a response in another language. It lists the same sets as in English. Their ids
 * lead to the cards once the English response has been imported.
 */
export function adaptTranslation(raw: RawCard, language: LanguageCode): AdaptedRecord {
  const { printings, broken } = parsePrintings(raw.card_sets ?? []);
  const ids = new Set(printings.map((printing) => externalIdOf(raw, printing)));
  const translations = [...ids].map((card) => ({ card, language, name: raw.name }));
  return { items: [], translations, broken };
}

/** Returns the language in the name of a file: `cardinfo-de.json`; undefined for English. */
function languageOfFile(name: string): LanguageCode | undefined {
  const [, code] = /cardinfo[-_.](de|fr|it|pt)\b/i.exec(name) ?? [];
  return code === undefined ? undefined : languageCalled(code);
}

/** Parses the printings of a card one by one, so a bad one does not affect the others. */
function parsePrintings(listed: readonly unknown[]) {
  const printings: RawPrinting[] = [];
  const broken: string[] = [];
  for (const [index, value] of listed.entries()) {
    try {
      printings.push(parsePrinting(value));
    } catch (error) {
      if (!(error instanceof BadRecord)) throw error;
      broken.push(`card_sets.${index} ${error.message}`);
    }
  }
  return { printings, broken };
}

/** Adapts one set and rarity, which the source may list several times. */
function adaptSame(
  card: RawCard,
  same: readonly RawPrinting[],
  context: AdaptContext,
): AdaptedRecord {
  const [printing] = same;
  if (!printing) return { items: [] };
  try {
    const prices = new Set(same.map(({ set_price }) => parseCents(set_price)));
    // Contradictory prices are ignored.
    const amount = prices.size === 1 ? printing.set_price : undefined;
    return {
      items: [adaptPrinting(card, printing, amount, context)],
      skipped: prices.size === 1 ? [] : ['contradictory price'],
    };
  } catch (error) {
    if (!(error instanceof BadRecord)) throw error;
    const { set_code, set_rarity } = printing;
    return { items: [], broken: [`${set_code} (${set_rarity}): ${error.message}`] };
  }
}

/**
 * Creates an id for a card in one set at one rarity, because the source has none. A set and its
 * reprint share their codes, so the id includes the name of the set.
 */
function externalIdOf(card: RawCard, { set_code, set_rarity, set_name }: RawPrinting): string {
  return [card.id ?? card.name, set_code, set_rarity, set_name].join('|');
}

function adaptPrinting(
  card: RawCard,
  printing: RawPrinting,
  amount: RawPrinting['set_price'],
  { observedAt, released }: AdaptContext,
): FeedItem {
  const { set_code: code, set_name: setName, set_rarity: rarity } = printing;
  return {
    card: {
      ...EMPTY_REFERENCE,
      externalId: externalIdOf(card, printing),
      game: 'yugioh',
      name: card.name,
      number: code || null,
      setCode: /^([^-]+)-/.exec(code)?.[1] ?? null,
      setName,
      rarity: rarity || null,
      releaseDate: released.get(setName) ?? null,
      // No image: YGOPRODeck asks users not to link to its pictures.
    },
    observations: observationsFrom({
      // YGOPRODeck distinguishes rarities, but not 1st Edition from Unlimited.
      printing: undefined,
      marketplace: 'tcgplayer',
      currency: 'USD',
      observedAt,
      amounts: { market: amount },
    }),
    facts: adaptFacts(card),
  };
}

/**
 * Opens YGOPRODeck's `cardinfo.json`, plain or packed by gzip. The further file `sets`, or a file
 * of the same folder whose name starts with `cardsets`, provides the dates of sets. A file such as
 * `cardinfo-de.json`, the response in German, provides only names.
 *
 * @throws OperatorError if they cannot be read.
 */
export const openYgoprodeck: OpenFeed = async (location, options) => {
  const { cards, setLists } = await findCardFiles(location, 'cardsets', options.files.sets);
  const sets = await readSetLists(setLists, parseSets, 'a cardsets.json of YGOPRODeck');
  const released = new Map(sets.map((set) => [set.set_name, parseDate(set.tcg_date)]));
  return openJsonRecordFiles(location, cards, options, {
    name: 'ygoprodeck',
    games: ['yugioh'],
    description: 'a cardinfo.json of YGOPRODeck',
    version: 4,
    parse: parseCard,
    label: ({ name }) => name,
    adapt: (raw, observedAt, file) => {
      const language = languageOfFile(file);
      if (language !== undefined) return adaptTranslation(raw, language);
      return adaptCard(raw, { observedAt, released });
    },
    furtherFiles: setLists,
  });
};

const MEGABYTE = 1024 * 1024;

/** YGOPRODeck asks its users to store responses rather than to repeat requests. */
export const YGOPRODECK_REMOTE: Remote = {
  base: 'https://db.ygoprodeck.com',
  pauseMs: 100,
  everyHours: 20,
  content: {
    kind: 'files',
    main: {
      path: 'api/v7/cardinfo.php',
      saveAs: 'cardinfo.json',
      maxBytes: 300 * MEGABYTE,
      gzip: true,
    },
    further: {
      sets: {
        path: 'api/v7/cardsets.php',
        saveAs: 'cardsets.json',
        maxBytes: 10 * MEGABYTE,
        gzip: true,
      },
    },
  },
};

export const YGOPRODECK: FeedSource = {
  name: 'ygoprodeck',
  summary: 'Cards of Yu-Gi-Oh! in all of their sets, with the price of each rarity.',
  takes: 'cardinfo.json, or cardinfo-de.json with the names in German, plain or packed with gzip.',
  files: { sets: 'The list of sets, cardsets.json, which has their release dates.' },
  example: 'cardinfo.json --sets cardsets.json',
  open: openYgoprodeck,
  remote: YGOPRODECK_REMOTE,
};
