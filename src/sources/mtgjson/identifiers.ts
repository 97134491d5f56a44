import { type MagicCard, magicRarity } from '../kit/magic-finishes.ts';
import type { RawCard } from './raw.ts';

/** A card of AllIdentifiers, as far as prices need it. */
export interface IdentifiedCard extends MagicCard {
  /** Whether it has a foil that TCGplayer lists as a product of its own. */
  readonly hasOtherFoil: boolean;
}

/**
 * Which cards MTGJSON's ids mean. There are more than a hundred thousand, so that each is kept as
 * one text, and the texts outside of what is collected again and again.
 */
export class IdentifierTable {
  readonly #texts = new PackedTexts();
  readonly #places = new Map<string, number>();

  /** Remembers a card. Of several faces that are one card only the first counts. */
  add(uuid: string, raw: RawCard): void {
    this.#places.set(uuid, this.#texts.add(isFirstFace(raw) ? pack(raw) : OTHER_FACE));
  }

  find(uuid: string): IdentifiedCard | 'other face' | undefined {
    const place = this.#places.get(uuid);
    if (place === undefined) return undefined;
    const packed = this.#texts.at(place);
    return packed === OTHER_FACE ? 'other face' : unpack(uuid, packed);
  }
}

const BLOCK_BYTES = 1024 * 1024;
const LENGTH_BYTES = 4;

/** Many texts, one behind the other in blocks of memory. */
class PackedTexts {
  readonly #blocks: Buffer[] = [];
  #end = 0;

  /** Where the text is from now on. */
  add(text: string): number {
    const bytes = Buffer.byteLength(text);
    const needed = LENGTH_BYTES + bytes;
    const left = this.#blocks.length * BLOCK_BYTES - this.#end;
    if (needed > left) this.#end += left;
    const place = this.#end;
    const block = this.#blockOf(place);
    const start = place % BLOCK_BYTES;
    block.writeUInt32LE(bytes, start);
    block.write(text, start + LENGTH_BYTES);
    this.#end += needed;
    return place;
  }

  at(place: number): string {
    const block = this.#blockOf(place);
    const start = (place % BLOCK_BYTES) + LENGTH_BYTES;
    return block.toString('utf8', start, start + block.readUInt32LE(start - LENGTH_BYTES));
  }

  #blockOf(place: number): Buffer {
    const index = Math.floor(place / BLOCK_BYTES);
    const known = this.#blocks[index];
    if (known) return known;
    const block = Buffer.allocUnsafe(BLOCK_BYTES);
    this.#blocks.push(block);
    return block;
  }
}

const OTHER_FACE = '';

function isFirstFace({ side }: RawCard): boolean {
  return !side || side === 'a';
}

/** Stands in no name: between the fields of a card. */
const SEPARATOR = '\u001f';

function pack({ name, number, setCode, rarity, finishes, identifiers }: RawCard): string {
  return [
    name,
    number,
    setCode,
    rarity ?? '',
    finishes.join(' '),
    identifiers.tcgplayerProductId ?? '',
    identifiers.tcgplayerEtchedProductId ?? '',
    identifiers.tcgplayerAlternativeFoilProductId ? 'other foil' : '',
    identifiers.scryfallId ?? '',
    identifiers.mcmId ?? '',
  ].join(SEPARATOR);
}

function unpack(uuid: string, packed: string): IdentifiedCard {
  const [name = '', number = '', setCode = '', rarity = '', ...rest] = packed.split(SEPARATOR);
  const [finishes = '', tcgplayer = '', etchedId = '', otherFoil = '', ...others] = rest;
  const [scryfall = '', cardmarket = ''] = others;
  const ids = Object.entries({ tcgplayer, scryfall, cardmarket }).filter(([, id]) => id !== '');
  const reference: MagicCard['reference'] = {
    externalId: uuid,
    name,
    number,
    setCode,
    setName: null,
    rarity: rarity === '' ? null : magicRarity(rarity),
    externalIds: Object.fromEntries(ids),
    image: null,
    releaseDate: null,
  };
  return {
    reference,
    finishes: finishes === '' ? [] : finishes.split(' '),
    etchedId: etchedId || null,
    hasOtherFoil: otherFoil !== '',
  };
}
