import { foldText, foldWords, withoutVariant, withoutZeros } from '../../domain/text.ts';
import type { CardReference, IdSpace } from '../../sources/contract/feed.ts';
import type { Finding } from './candidate.ts';

/** Cards of a source that claim one product: the price of at most one of them is its own. */

/** A card of ours that a reference was found to mean. */
export interface ClaimedCard {
  /** Row id. */
  readonly id: number;
  readonly name: string;
  readonly number: string | null;
}

/**
 * What is to be thought of a claim. One that nobody contests is `sound` when the reference is
 * called what our card is called; else it is `doubtful`, until the feed has been read to its end.
 */
export type Verdict = 'sound' | 'doubtful' | Finding;

/** Who claims a product. Names are kept as hashes, for a feed has a hundred thousand. */
interface Claimant {
  readonly name: number;
  readonly number: number;
  /** Whether it is called what our card is called. */
  readonly fits: boolean;
}

interface Claim extends Claimant {
  /** Whether others of another name claim the same. */
  isContested: boolean;
}

/**
 * The ids that are of one product and by which prices are looked up. Cardmarket has one product
 * for several arts of a card, so that to share its ids is no mistake.
 */
const PRODUCT_ID = 'tcgplayer' satisfies IdSpace;

/** The row id of the card of ours that an id is of, if there is one. */
export type OwnerOf = (kind: IdSpace, id: string) => number | undefined;

/** What the references of one feed claim, over all of its batches. */
export class SharedExternalIds {
  readonly #claims = new Map<string, Claim>();
  readonly #ownerOf: OwnerOf;

  constructor(ownerOf: OwnerOf) {
    this.#ownerOf = ownerOf;
  }

  /** Notes what a reference claims. */
  claim(reference: CardReference, card: ClaimedCard): Verdict {
    const product = productOf(reference);
    const owner = product === undefined ? undefined : this.#ownerOf(PRODUCT_ID, product);
    if (owner !== undefined && owner !== card.id) return stolen(reference, product);
    const claim = claimOf(reference, card);
    const lost = idsOf(reference, card).filter((id) => !this.#note(id, claim));
    const [id] = lost;
    if (id !== undefined) return contested(reference, card, id);
    return claim.fits ? 'sound' : 'doubtful';
  }

  /** Notes one claim. False when somebody else has claimed the same with as much right. */
  #note(id: string, claim: Claimant): boolean {
    const first = this.#claims.get(id);
    const isContested = first !== undefined && !isSameCard(first, claim);
    if (isContested) first.isContested = true;
    if (!first || (claim.fits && !first.fits)) {
      this.#claims.set(id, { ...claim, isContested: first?.isContested ?? false });
    }
    return !isContested || (claim.fits && !first.fits);
  }

  /** What is to be thought of a doubtful claim now that the whole feed has been read. */
  settle(reference: CardReference, card: ClaimedCard): Finding | undefined {
    const id = idsOf(reference, card).find((one) => this.#claims.get(one)?.isContested);
    return id === undefined ? undefined : contested(reference, card, id);
  }
}

function claimOf(reference: CardReference, card: ClaimedCard): Claimant {
  const [name, number] = [plainName(reference.name), plainNumber(reference.number)];
  const isNamed = name === '' || name === plainName(card.name);
  return {
    name: hash(name),
    number: number === '' ? 0 : hash(number),
    fits: isNamed && fitsNumber(number, plainNumber(card.number)),
  };
}

function isSameCard(a: Claimant, b: Claimant): boolean {
  const isNumbered = a.number !== 0 && b.number !== 0;
  return a.name === b.name && (!isNumbered || a.number === b.number);
}

/** What a reference claims: a product, and the card that it was found to be. */
function idsOf(reference: CardReference, card: ClaimedCard): string[] {
  const id = productOf(reference);
  return id === undefined ? [`card ${card.id}`] : [`product ${id}`, `card ${card.id}`];
}

function productOf({ externalIds, externalId }: CardReference): string | undefined {
  const id = externalIds[PRODUCT_ID];
  // A source's own key is nobody else's.
  return id === externalId ? undefined : id;
}

function stolen(reference: CardReference, id: string | undefined): Finding {
  const claims = `${described(reference)} claims the ${PRODUCT_ID} id ${id}`;
  return { reason: 'shared-external-id', detail: `${claims}, which is another card’s.` };
}

function contested(reference: CardReference, card: ClaimedCard, id: string): Finding {
  const isCard = id.startsWith('card ');
  const claimed = isCard ? described(card) : `the ${id.replace('product', `${PRODUCT_ID} id`)}`;
  const both = `${described(reference)} and another card of its source`;
  return { reason: 'shared-external-id', detail: `${both} both claim ${claimed}.` };
}

function described({ name, number }: Pick<ClaimedCard, 'name' | 'number'>): string {
  return number === null ? name : `${name} ${number}`;
}

/** The name of the front face, without a variant. */
function plainName(name: string): string {
  const [front = name] = name.split(' // ');
  return foldText(withoutVariant(front));
}

/** A collector's number as both `004/102` and `4` would have it; `OP01-025` is `op1-25`. */
function plainNumber(number: string | null): string {
  return foldWords(number?.split('/')[0] ?? '')
    .map(withoutZeros)
    .join('-');
}

/** Whether a number is that of our card, or its last part: some sources leave the set out. */
function fitsNumber(number: string, own: string): boolean {
  return number === '' || own === '' || number === own || own.endsWith(`-${number}`);
}

/** FNV-1a, of 32 bits, never 0. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  }
  return value >>> 0 || 1;
}
