import { facesOf, withoutBrackets } from '../../../domain/card-name.ts';
import { hyphenated, readCollectorNumber } from '../../../domain/collector-number.ts';
import { foldText } from '../../../domain/text.ts';
import type { CardReference, IdSpace } from '../../../sources/contract/feed.ts';
import type { Finding, ResolvedObservation } from '../../observation.ts';

/**
 * Catches cards of one feed that claim the same TCGplayer product, or the same card of ours: at
 * most one of them has its own price. For example, three promos share the product of one of them.
 * The card with the name of our card is accepted. If none has it, all are caught.
 *
 * All claims are known only after the whole feed has been read. So `SharedExternalIds` collects the
 * claims during reading, and its findings reach this rule as the observation's conflict.
 */
export function sharedExternalId({ conflict }: ResolvedObservation): Finding | undefined {
  return conflict;
}

/** The card of ours that matches a reference. */
export interface ClaimedCard {
  /** Row id. */
  readonly id: number;
  readonly name: string;
  readonly number: string | null;
}

/**
 * The verdict on a claim. An uncontested claim is `sound` if the reference has the name of our
 * card, otherwise `doubtful` until the whole feed has been read.
 */
export type Verdict = 'sound' | 'doubtful' | Finding;

/**
 * The claimants of a product or a card. Names are hashes, because a feed has a hundred thousand of
 * them.
 */
interface Claimant {
  readonly name: number;
  readonly number: number;
  /** Whether it has the name of our card. */
  readonly fits: boolean;
}

interface Claim extends Claimant {
  /** Whether a reference of another name or number claims the same. */
  isContested: boolean;
}

/**
 * The id space by which prices are looked up, in which each id belongs to one card. Cardmarket has
 * one product for several arts of a card, so sharing its ids is not a mistake.
 */
const PRODUCT_ID = 'tcgplayer' satisfies IdSpace;

/** Returns the row id of our card with an external id, or undefined. */
export type ExternalIdOwner = (idSpace: IdSpace, externalId: string) => number | undefined;

/** Collects the claims of a feed's references, over all of its batches. */
export class SharedExternalIds {
  readonly #claims = new Map<string, Claim>();
  readonly #ownerOf: ExternalIdOwner;

  constructor(ownerOf: ExternalIdOwner) {
    this.#ownerOf = ownerOf;
  }

  /** Notes the claims of a reference, and returns the verdict so far. */
  claim(reference: CardReference, card: ClaimedCard): Verdict {
    const product = productOf(reference);
    const owner = product === undefined ? undefined : this.#ownerOf(PRODUCT_ID, product);
    if (owner !== undefined && owner !== card.id) return describeTheft(reference, product);
    const claimant = claimantOf(reference, card);
    const [lost] = claimsOf(reference, card).filter((key) => !this.#note(key, claimant));
    if (lost !== undefined) return describeContest(reference, card, lost);
    return claimant.fits ? 'sound' : 'doubtful';
  }

  /** Notes one claim. Returns false if another claimant has an equal right to it. */
  #note(key: string, claimant: Claimant): boolean {
    const first = this.#claims.get(key);
    const isContested = first !== undefined && !isSameCard(first, claimant);
    if (isContested) first.isContested = true;
    if (!first || (claimant.fits && !first.fits)) {
      this.#claims.set(key, { ...claimant, isContested: first?.isContested ?? false });
    }
    return !isContested || (claimant.fits && !first.fits);
  }

  /** Returns the fault of a doubtful claim once the whole feed has been read. */
  decide(reference: CardReference, card: ClaimedCard): Finding | undefined {
    const lost = claimsOf(reference, card).find((key) => this.#claims.get(key)?.isContested);
    return lost === undefined ? undefined : describeContest(reference, card, lost);
  }
}

function claimantOf(reference: CardReference, card: ClaimedCard): Claimant {
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

/** Returns the claims of a reference: a product, and the matched card. */
function claimsOf(reference: CardReference, card: ClaimedCard): string[] {
  const id = productOf(reference);
  return id === undefined ? [`card ${card.id}`] : [`product ${id}`, `card ${card.id}`];
}

function productOf({ externalIds, externalId }: CardReference): string | undefined {
  const id = externalIds[PRODUCT_ID];
  // The source's own id of the card does not claim another source's product.
  return id === externalId ? undefined : id;
}

function describeTheft(reference: CardReference, id: string | undefined): Finding {
  const claims = `${describeCard(reference)} claims the ${PRODUCT_ID} id ${id}`;
  return { rule: 'shared-external-id', detail: `${claims}, which belongs to another card.` };
}

function describeContest(reference: CardReference, card: ClaimedCard, key: string): Finding {
  const isCard = key.startsWith('card ');
  const claimed = isCard ? describeCard(card) : `the ${key.replace('product', `${PRODUCT_ID} id`)}`;
  const both = `${describeCard(reference)} and another card of its source`;
  return { rule: 'shared-external-id', detail: `${both} both claim ${claimed}.` };
}

function describeCard({ name, number }: Pick<ClaimedCard, 'name' | 'number'>): string {
  return number === null ? name : `${name} ${number}`;
}

/** Returns the folded name of the front face, without its variants. */
function plainName(name: string): string {
  const [front = name] = facesOf(name);
  return foldText(withoutBrackets(front));
}

/** Returns a number in a form that is equal for `004/102` and `4`; `OP01-025` gives `op1-25`. */
function plainNumber(number: string | null): string {
  return number === null ? '' : hyphenated(readCollectorNumber(number));
}

/**
 * Whether a number is our card's, or the last part of it, because some sources omit the set code.
 */
function fitsNumber(number: string, own: string): boolean {
  return number === '' || own === '' || number === own || own.endsWith(`-${number}`);
}

/** Returns the 32-bit FNV-1a hash of a text, but never 0. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  }
  return value >>> 0 || 1;
}
