import type { Card } from '../domain/card.ts';
import { languageCalled } from '../domain/languages.ts';
import type { ExternalId } from '../domain/sources.ts';
import { Turns } from '../lib/event-loop.ts';
import type { SearchIndex } from '../search/index.ts';
import { findCandidates } from './candidates.ts';
import { decide, undecided } from './decide.ts';
import {
  MOST_CANDIDATES,
  type Resolution,
  type ResolveItem,
  type ResolveOptions,
  whyFieldTooLong,
  withSingleSpaces,
} from './item.ts';
import { judge } from './judge.ts';
import { languageAsked, withLanguageMark, withLanguageOfFields } from './language.ts';
import { type Line, readLine, refuseQuantity } from './lines.ts';
import { readPasted } from './pasted.ts';
import {
  describesProduct,
  isProductItem,
  type ProductFinder,
  type ProductResolution,
  resolveProduct,
  resolveProductId,
  saysOnlyProduct,
} from './products.ts';
import { KnownSets } from './sets.ts';
import { resolveTitle } from './title/resolve-title.ts';
import { translateItem } from './translate.ts';
import { Wanted } from './wanted.ts';

const NO_CARD = 'The text is of a sealed product or of supplies, not of a card.';

/** How long to resolve items before other work of the process gets a turn, in milliseconds. */
const SLICE_MS = 3;

interface Parts {
  readonly search: SearchIndex;
  /** Returns the cards of an external id: several if printings share it. */
  readonly cardsWithId: (id: ExternalId) => readonly Card[];
  /** Absent if nothing is resolved to products. */
  readonly products?: ProductFinder;
}

/** Finds the card and printing that an item means, or abstains (docs/resolver.md). */
export class Resolver {
  readonly #parts: Parts;
  readonly #turns = new Turns();
  #sets: KnownSets | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Reads the sets now, which takes about 50 ms, so the first list does not have to wait. */
  prepare(): void {
    this.#known();
  }

  /**
   * Resolves items in order and returns one answer for each. Lets other work run after about every
   * 3 ms. Several lists take turns.
   */
  async resolve(
    items: readonly ResolveItem[],
    options: ResolveOptions = {},
  ): Promise<Resolution[]> {
    return this.#each(items, options, (item) => {
      const answer = this.#resolveAny(item);
      return 'kind' in answer ? undecided('unknown', [], [NO_CARD]) : answer;
    });
  }

  /** Resolves items like {@link resolve}, including items that mean products. */
  async resolveAny(
    items: readonly ResolveItem[],
    options: ResolveOptions = {},
  ): Promise<(Resolution | ProductResolution)[]> {
    return this.#each(items, options, (item) => this.#resolveAny(item));
  }

  async #each<Answer extends Resolution | ProductResolution>(
    items: readonly ResolveItem[],
    { game, maxCandidates = MOST_CANDIDATES }: ResolveOptions,
    resolveOne: (item: ResolveItem) => Answer,
  ): Promise<Answer[]> {
    const answers: Answer[] = [];
    let end = 0;
    for (const item of items) {
      if (performance.now() >= end) {
        await this.#turns.next();
        end = performance.now() + SLICE_MS;
      }
      const known = item.game === undefined && game !== undefined ? { ...item, game } : item;
      answers.push(withNearest(resolveOne(known), maxCandidates));
    }
    return answers;
  }

  /** Resolves an item to a product if its words, its UPC or its id belong to one. */
  #resolveAny(given: ResolveItem): Resolution | ProductResolution {
    const { products } = this.#parts;
    if (!products) return this.#resolveIn(given);
    const item = withLanguageMark(given);
    if (isProductItem(item)) return resolveProduct(item, products);
    const ofId = resolveProductId(item, products);
    if (ofId) return ofId;
    if (!describesProduct(item)) return this.#resolveIn(given);
    const product = resolveProduct(item, products);
    if (product.status === 'matched' || saysOnlyProduct(item)) return product;
    const card = this.#resolveIn(given);
    return card.status === 'unknown' && product.status === 'ambiguous' ? product : card;
  }

  /** Resolves an item to a card. Its text may contain the language anywhere. */
  #resolveIn(given: ResolveItem): Resolution {
    const item = withLanguageMark(given);
    const answer = this.#resolveOne(item);
    if (answer.status === 'matched') return answer;
    const translated = isUnknown(answer) ? this.#resolveTranslated(item) : undefined;
    if (translated) return translated;
    const language = languageAsked(item) ?? answer.language;
    return language === undefined ? answer : { ...answer, language };
  }

  /** Resolves an item whose name is in another language; undefined if nothing is found. */
  #resolveTranslated(item: ResolveItem): Resolution | undefined {
    for (const { item: translated, reason } of translateItem(item, this.#parts.search)) {
      const answer = this.#resolveOne(translated);
      if (isUnknown(answer)) continue;
      const language = languageCalled(translated.language ?? '');
      return { ...answer, ...(language && { language }), reasons: [reason, ...answer.reasons] };
    }
    return undefined;
  }

  #resolveOne(given: ResolveItem): Resolution {
    const pasted = readPasted(given, this.#parts.search.lookup);
    if (typeof pasted === 'string') return undecided('unknown', [], [pasted]);
    const { text } = pasted;
    const item = text === undefined ? pasted : { ...pasted, text: withSingleSpaces(text) };
    const refusal = refuseQuantity(item.quantity ?? 1) ?? whyFieldTooLong(item);
    if (refusal !== undefined) return undecided('unknown', [], [refusal]);
    const line = item.text === undefined ? undefined : readLine(item.text);
    if (line?.kind === 'no card') return undecided('unknown', [], [line.reason]);
    return this.#resolveLine(item, line);
  }

  /** Resolves a line of a list. If a tentative reading finds nothing, resolves it as a title. */
  #resolveLine(item: ResolveItem, line: Extract<Line, { kind: 'card' }> | undefined): Resolution {
    const whole = line ? { ...line.item, ...item } : item;
    const { text, ...fields } = whole;
    const isFree = whole.name === undefined && whole.number === undefined && !hasIds(whole);
    if (text !== undefined && isFree) return resolveTitle(whole, this.#parts.search, this.#known());
    const isTentative = text !== undefined && line?.isTentative === true;
    const answer = this.#resolveFields(fields, !isTentative);
    if (answer.status !== 'unknown' || !isTentative) return answer;
    const { quantity } = whole;
    const free = { ...item, text, ...(quantity === undefined ? {} : { quantity }) };
    const title = resolveTitle(free, this.#parts.search, this.#known());
    return title.status === 'matched' || answer.candidates.length === 0 ? title : answer;
  }

  #resolveFields(given: ResolveItem, mayBeMisspelt: boolean): Resolution {
    const { search } = this.#parts;
    const item = withLanguageOfFields(given, search.lookup);
    const wanted = new Wanted(item, this.#known());
    if (wanted.name === '' && wanted.number === undefined && !hasIds(item)) {
      return undecided('unknown', [], ['The item gives neither a name nor a number nor an id.']);
    }
    const byId = this.#cardsByIds(item);
    const { cards, knownIn } = findCandidates(wanted, search, mayBeMisspelt);
    const all = [...new Set([...byId, ...(wanted.name === '' && byId.length > 0 ? [] : cards)])];
    const judged = all.map((card) => judge(wanted, card, knownIn, byId.includes(card)));
    return decide(wanted, judged);
  }

  /** Returns the cards that all known external ids share, otherwise the cards of any id. */
  #cardsByIds(item: ResolveItem): Card[] {
    const found = idsOf(item).flatMap((id) => {
      const cards = this.#parts.cardsWithId(id);
      return cards.length === 0 ? [] : [new Set(cards)];
    });
    const all = [...new Set(found.flatMap((cards) => [...cards]))];
    const shared = all.filter((card) => found.every((cards) => cards.has(card)));
    return shared.length > 0 ? shared : all;
  }

  /** Returns the sets of the catalogue. Reads them again after a change. */
  #known(): KnownSets {
    const { sets } = this.#parts.search;
    if (this.#sets?.source !== sets) this.#sets = new KnownSets(sets);
    return this.#sets;
  }
}

/** Whether no card has the name of an item, apart from similar names. */
function isUnknown(answer: Resolution): boolean {
  return answer.status === 'unknown' || (answer.status === 'ambiguous' && !!answer.isMisspelt);
}

/** Keeps only the nearest candidates of an answer. */
function withNearest<Answer extends Resolution | ProductResolution>(
  answer: Answer,
  most: number,
): Answer {
  if (!('candidates' in answer) || answer.candidates.length <= most) return answer;
  return { ...answer, candidates: answer.candidates.slice(0, most) };
}

function idsOf({ ids = {} }: ResolveItem): ExternalId[] {
  return Object.entries(ids).map(([space, id]) => ({ space, id }));
}

function hasIds(item: ResolveItem): boolean {
  return idsOf(item).length > 0;
}
