/** Makes files of the size that sources publish, from the smaller real ones that there are. */
import { closeSync, createReadStream, openSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { addDays, type Day, formatDay, parseDay } from '../../src/domain/day.ts';

/** The newest day of the prices. */
const NEWEST = parseDay('2026-01-28') as Day;
const PAST_DAYS = 90;
/** Seeded, so that each run measures the same files. */
const SEED = 20260128;
/** How many records are written at a time. */
const AT_ONCE = 500;

/** A card of Scryfall's file, as far as the bench changes or repeats it. */
export interface BulkCard {
  readonly id: string;
  readonly tcgplayer_id: number;
  readonly name: string;
  readonly set: string;
  readonly set_name: string;
  readonly collector_number: string;
  readonly rarity: string;
  readonly finishes: readonly string[];
  readonly prices: Readonly<Record<string, string | null>>;
}

/** Reads all cards of a bulk file into memory. */
export async function readBulk(path: string): Promise<BulkCard[]> {
  const cards: BulkCard[] = [];
  const lines = createInterface({ input: createReadStream(path).pipe(createGunzip()) });
  for await (const line of lines) {
    if (line.startsWith('{')) cards.push(JSON.parse(line.replace(/,$/, '')) as BulkCard);
  }
  return cards;
}

/**
 * Writes the cards again and again, one a line, until the file has so many bytes; returns their
 * number. The first copy has the real cards, further ones have new ids and unknown sets.
 */
export function growBulk(cards: readonly BulkCard[], path: string, bytes: number): number {
  const file = new GrowingFile(path, '[\n', ',\n', '\n]\n');
  for (let copy = 0; file.bytes < bytes; copy += 1) {
    for (const card of cards) file.add(JSON.stringify(copy === 0 ? card : copied(card, copy)));
  }
  return file.end();
}

function copied(card: BulkCard, copy: number): BulkCard {
  return {
    ...card,
    id: copiedId(card.id, copy),
    tcgplayer_id: card.tcgplayer_id + copy * 1_000_000,
    set: `${card.set}${copy}`,
    set_name: `${card.set_name} ${copy}`,
  };
}

function copiedId(id: string, copy: number): string {
  const start = (Number.parseInt(id.slice(0, 8), 16) + copy) % 2 ** 32;
  return start.toString(16).padStart(8, '0') + id.slice(8);
}

/** Writes AllPrices of these and more cards until it has so many bytes; returns the number. */
export function growPrices(cards: readonly BulkCard[], path: string, bytes: number): number {
  const random = seeded(SEED);
  const days = Array.from({ length: PAST_DAYS }, (_, index) => {
    return formatDay(addDays(NEWEST, index - PAST_DAYS + 1));
  });
  const file = new GrowingFile(path, `{"meta": ${JSON.stringify(META)}, "data": {`, ', ', '}}');
  for (let copy = 0; file.bytes < bytes; copy += 1) {
    for (const card of cards) {
      if (file.bytes >= bytes) break;
      const prices = JSON.stringify(pricesOf(card, days, random));
      file.add(`"${copiedId(card.id, copy)}": ${prices}`);
    }
  }
  return file.end();
}

const META = { date: formatDay(NEWEST), version: '5.2.2+20260128' };

/** Prices of a card at all marketplaces; each day differs a little from the one before. */
function pricesOf({ prices }: BulkCard, days: readonly string[], random: () => number): object {
  const normal = Number(prices.usd ?? 1);
  const foil = Number(prices.usd_foil ?? 2);
  const series = (price: number) => {
    return Object.fromEntries(
      days.map((day) => [day, Math.round(price * (95 + 10 * random())) / 100]),
    );
  };
  const shop = (currency: string, factor: number, buylist: object) => ({
    buylist,
    currency,
    retail: { foil: series(foil * factor), normal: series(normal * factor) },
  });
  return {
    mtgo: {
      cardhoarder: { buylist: {}, currency: 'USD', retail: { normal: series(normal / 10) } },
    },
    paper: {
      cardkingdom: shop('USD', 1.2, { normal: series(normal / 2) }),
      cardmarket: shop('EUR', 0.8, {}),
      tcgplayer: shop('USD', 1, {}),
    },
  };
}

/** Writes AllIdentifiers of the first `count` cards that {@link growPrices} writes prices of. */
export function growIdentifiers(cards: readonly BulkCard[], path: string, count: number): number {
  const file = new GrowingFile(path, `{"meta": ${JSON.stringify(META)}, "data": {`, ', ', '}}');
  for (let copy = 0; file.count < count; copy += 1) {
    for (const card of cards) {
      if (file.count === count) break;
      const { id, ...rest } = copy === 0 ? card : copied(card, copy);
      file.add(`"${id}": ${JSON.stringify(identified(id, rest))}`);
    }
  }
  return file.end();
}

/** A card as MTGJSON describes it, as large as real ones are. */
function identified(uuid: string, card: Omit<BulkCard, 'id'>): object {
  return {
    artist: 'Somebody',
    availability: ['mtgo', 'paper'],
    finishes: card.finishes,
    foreignData: FOREIGN.map((language) => ({ language, name: card.name, text: TEXT })),
    identifiers: {
      cardKingdomId: '122719',
      mcmMetaId: '156',
      scryfallId: uuid,
      scryfallOracleId: uuid,
      tcgplayerProductId: String(card.tcgplayer_id),
    },
    legalities: Object.fromEntries(FORMATS.map((format) => [format, 'Legal'])),
    name: card.name,
    number: card.collector_number,
    rarity: card.rarity,
    setCode: card.set.toUpperCase(),
    text: TEXT,
    uuid,
  };
}

const TEXT = 'When “this” enters, draw a card.\n{T}: Add {G}. Æther — “déjà vu”. '.repeat(4);
const FOREIGN = ['German', 'French', 'Italian', 'Japanese', 'Spanish', 'Russian', 'Korean'];
const FORMATS = ['commander', 'duel', 'legacy', 'modern', 'oathbreaker', 'pauper', 'vintage'];

/** A file that is written a few hundred records at a time. */
class GrowingFile {
  readonly #file: number;
  readonly #between: string;
  readonly #tail: string;
  #waiting: string[] = [];
  bytes = 0;
  count = 0;

  constructor(path: string, head: string, between: string, tail: string) {
    this.#file = openSync(path, 'w');
    this.#between = between;
    this.#tail = tail;
    this.bytes += writeSync(this.#file, head);
  }

  add(record: string): void {
    this.#waiting.push(this.count === 0 ? record : this.#between + record);
    this.count += 1;
    if (this.#waiting.length === AT_ONCE) this.#write();
  }

  /** Ends the file; returns the number of its records. */
  end(): number {
    this.#write();
    this.bytes += writeSync(this.#file, this.#tail);
    closeSync(this.#file);
    return this.count;
  }

  #write(): void {
    this.bytes += writeSync(this.#file, this.#waiting.join(''));
    this.#waiting = [];
  }
}

/** Numbers from 0 up to 1 that are the same in each run (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
