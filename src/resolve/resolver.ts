import type { Card } from '../domain/card.ts';
import type { GameSlug } from '../domain/games.ts';
import type { ExternalId } from '../domain/id-spaces.ts';
import { Turns } from '../lib/turns.ts';
import type { SearchIndex } from '../search/index.ts';
import { findCandidates } from './candidates.ts';
import { decide, undecided } from './decide.ts';
import { type Resolution, type ResolveItem, whyFieldTooLong, withSingleSpaces } from './item.ts';
import { judge } from './judge.ts';
import { type Line, readLine, refuseQuantity } from './lines.ts';
import { KnownSets } from './sets.ts';
import { resolveTitle } from './title/resolve-title.ts';
import { Wanted } from './wanted.ts';

/** How long items are resolved before other work of the process is done, in milliseconds. */
const SLICE_MS = 3;

interface Parts {
  readonly search: SearchIndex;
  /** Returns the cards of an external id: several where printings share it. */
  readonly cardsWithId: (id: ExternalId) => readonly Card[];
}

/** Finds the one card and printing that people mean, or abstains (docs/resolver.md). */
export class Resolver {
  readonly #parts: Parts;
  readonly #turns = new Turns();
  #sets: KnownSets | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Reads the sets now, which takes some 50 ms, so that the first list need not wait for it. */
  prepare(): void {
    this.#known();
  }

  /**
   * Resolves items in their order, an answer for each. Between slices of about 3 ms other work of
   * the process is done; several lists take turns. `game` is that of the items which name none.
   */
  async resolve(
    items: readonly ResolveItem[],
    { game }: { readonly game?: GameSlug } = {},
  ): Promise<Resolution[]> {
    const answers: Resolution[] = [];
    let end = 0;
    for (const item of items) {
      if (performance.now() >= end) {
        await this.#turns.next();
        end = performance.now() + SLICE_MS;
      }
      const known = item.game === undefined && game !== undefined ? { ...item, game } : item;
      answers.push(this.#resolveOne(known));
    }
    return answers;
  }

  #resolveOne(given: ResolveItem): Resolution {
    const { text } = given;
    const item = text === undefined ? given : { ...given, text: withSingleSpaces(text) };
    const refusal = refuseQuantity(item.quantity ?? 1) ?? whyFieldTooLong(item);
    if (refusal !== undefined) return undecided('unknown', [], [refusal]);
    const line = item.text === undefined ? undefined : readLine(item.text);
    if (line?.kind === 'no card') return undecided('unknown', [], [line.reason]);
    return this.#resolveLine(item, line);
  }

  /** Reads a line as a list has it and, where that finds nothing and may be wrong, as a title. */
  #resolveLine(item: ResolveItem, line: Extract<Line, { kind: 'card' }> | undefined): Resolution {
    const whole = line ? { ...line.item, ...item } : item;
    const { text, ...fields } = whole;
    const isFree = whole.name === undefined && whole.number === undefined && !hasIds(whole);
    if (text !== undefined && isFree) return resolveTitle(whole, this.#parts.search, this.#known());
    const answer = this.#resolveFields(fields);
    if (answer.status !== 'unknown' || text === undefined || !line?.isTentative) return answer;
    const { quantity } = whole;
    const free = { ...item, text, ...(quantity === undefined ? {} : { quantity }) };
    const title = resolveTitle(free, this.#parts.search, this.#known());
    return title.status === 'matched' || answer.candidates.length === 0 ? title : answer;
  }

  #resolveFields(item: ResolveItem): Resolution {
    const { search } = this.#parts;
    const wanted = new Wanted(item, this.#known());
    if (wanted.name === '' && wanted.number === undefined && !hasIds(item)) {
      return undecided('unknown', [], ['The item gives neither a name nor a number nor an id.']);
    }
    const byId = this.#cardsByIds(item);
    const { cards, knownIn } = findCandidates(wanted, search);
    const all = [...new Set([...byId, ...(wanted.name === '' && byId.length > 0 ? [] : cards)])];
    const judged = all.map((card) => judge(wanted, card, knownIn, byId.includes(card)));
    return decide(wanted, judged);
  }

  /** The cards that all known external ids of an item share, or those of any of them. */
  #cardsByIds(item: ResolveItem): Card[] {
    const found = idsOf(item).flatMap((id) => {
      const cards = this.#parts.cardsWithId(id);
      return cards.length === 0 ? [] : [new Set(cards)];
    });
    const all = [...new Set(found.flatMap((cards) => [...cards]))];
    const shared = all.filter((card) => found.every((cards) => cards.has(card)));
    return shared.length > 0 ? shared : all;
  }

  /** The sets of the catalogue, read again when one was added or changed. */
  #known(): KnownSets {
    const { sets } = this.#parts.search;
    if (this.#sets?.source !== sets) this.#sets = new KnownSets(sets);
    return this.#sets;
  }
}

function idsOf({ ids = {} }: ResolveItem): ExternalId[] {
  return Object.entries(ids).map(([space, id]) => ({ space, id }));
}

function hasIds(item: ResolveItem): boolean {
  return idsOf(item).length > 0;
}
