import { type MagicCard, magicName, magicRarity } from '../kit/magic-finishes.ts';
import type { RawCard } from './raw.ts';

/** A card of AllIdentifiers, with the fields that prices need. */
export interface IdentifiedCard extends MagicCard {
  /** Whether TCGplayer lists another foil of it as a product of its own. */
  readonly hasOtherFoil: boolean;
}

/**
 * The cards of MTGJSON's ids. There are more than a hundred thousand: each is kept as packed text
 * in a few large buffers, which costs less memory and no garbage collection.
 */
export class IdentifierTable {
  readonly #texts = new PackedTexts();
  readonly #offsets = new Map<string, number>();

  /** Adds a card. Of a card with several faces, only the first counts. */
  add(uuid: string, raw: RawCard): void {
    this.#offsets.set(uuid, this.#texts.add(isFirstFace(raw) ? pack(raw) : OTHER_FACE));
  }

  find(uuid: string): IdentifiedCard | 'other face' | undefined {
    const offset = this.#offsets.get(uuid);
    if (offset === undefined) return undefined;
    const packed = this.#texts.at(offset);
    return packed === OTHER_FACE ? 'other face' : unpack(uuid, packed);
  }
}

const BLOCK_BYTES = 1024 * 1024;
const LENGTH_BYTES = 4;

/** Texts with their lengths, one behind the other in blocks of memory. */
class PackedTexts {
  readonly #blocks: Buffer[] = [];
  #end = 0;

  /** Stores a text of less than a block; returns its offset. */
  add(text: string): number {
    const bytes = Buffer.byteLength(text);
    const needed = LENGTH_BYTES + bytes;
    const left = this.#blocks.length * BLOCK_BYTES - this.#end;
    if (needed > left) this.#end += left;
    const offset = this.#end;
    const block = this.#blockOf(offset);
    const start = offset % BLOCK_BYTES;
    block.writeUInt32LE(bytes, start);
    block.write(text, start + LENGTH_BYTES);
    this.#end += needed;
    return offset;
  }

  at(offset: number): string {
    const block = this.#blockOf(offset);
    const start = (offset % BLOCK_BYTES) + LENGTH_BYTES;
    return block.toString('utf8', start, start + block.readUInt32LE(start - LENGTH_BYTES));
  }

  #blockOf(offset: number): Buffer {
    const index = Math.floor(offset / BLOCK_BYTES);
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

/** Separates the fields of a card; no field contains it. */
const SEPARATOR = '\u001f';

function pack({ number, setCode, rarity, finishes, identifiers, ...raw }: RawCard): string {
  return [
    magicName(raw.name, raw.isOversized),
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
