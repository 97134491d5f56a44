import type { Card } from '../../src/domain/card.ts';
import { foldText } from '../../src/domain/text.ts';
import { Resolver } from '../../src/resolve/index.ts';
import type { Matched, Resolution, Undecided } from '../../src/resolve/item.ts';
import { SearchIndex } from '../../src/search/index.ts';
import type { KnownLine } from './line.ts';
import { tcgplayerId } from './rows.ts';

/**
 * How good an answer is. `told` is a correct `ambiguous`: nothing in the item decides between the
 * card and others, and these are the candidates.
 */
export type Verdict = 'right' | 'told' | 'wrong' | 'ambiguous' | 'unknown';

/** Judges the answer for a line that means a card. Card and printing must be the same. */
export function judge(line: KnownLine, answer: Resolution): Verdict {
  if (answer.status === 'matched') return isRight(line, answer) ? 'right' : 'wrong';
  return isTold(line, answer) ? 'told' : answer.status;
}

/** If more cards are alike than an answer has candidates, the meant card may be missing. */
function isTold({ card, rivals }: KnownLine, { status, candidates }: Undecided): boolean {
  if (status !== 'ambiguous' || rivals.length === 0) return false;
  const alike = new Set([card, ...rivals].map(({ id }) => id));
  const found = candidates.map((candidate) => candidate.card.id);
  return found.includes(card.id) || (found.length > 0 && found.every((id) => alike.has(id)));
}

function isRight({ card, printing }: KnownLine, answer: Matched): boolean {
  return (
    answer.card.id === card.id && (printing === undefined || answer.printing?.name === printing)
  );
}

/** Returns the details of a line that a right answer has wrong. */
export function misreadDetails(line: KnownLine, answer: Matched): string[] {
  const misread: string[] = [];
  if (answer.quantity !== (line.quantity ?? 1)) misread.push('quantity');
  const { condition, grade } = answer.copy;
  if (condition !== (line.condition ?? null)) misread.push('condition');
  if (foldText(grade ?? '') !== foldText(line.grade ?? '')) misread.push('grade');
  return misread;
}

/** How long work blocks the event loop, in milliseconds. */
interface Delays {
  /** The longest time between two turns of the event loop. */
  readonly longestSlice: number;
  /** By how much a timer of 1 ms was late at most. */
  readonly timerDelay: number;
}

const INTERVAL_MS = 1;

/** Watches the event loop while `work` runs. */
export async function watchDelays(work: () => Promise<unknown>): Promise<Delays> {
  let [longestSlice, timerDelay] = [0, 0];
  let [lastTurn, lastTick] = [performance.now(), performance.now()];
  let isDone = false;
  const timer = setInterval(() => {
    const now = performance.now();
    timerDelay = Math.max(timerDelay, now - lastTick - INTERVAL_MS);
    lastTick = now;
  }, INTERVAL_MS);
  const turn = () => {
    const now = performance.now();
    longestSlice = Math.max(longestSlice, now - lastTurn);
    lastTurn = now;
    if (!isDone) setImmediate(turn);
  };
  turn();
  await work();
  isDone = true;
  clearInterval(timer);
  // What ran since the last turn, if work never gave way.
  const now = performance.now();
  return {
    longestSlice: Math.max(longestSlice, now - lastTurn),
    timerDelay: Math.max(timerDelay, now - lastTick - INTERVAL_MS),
  };
}

/** Builds the resolver over the cards, with their ids at TCGplayer and Scryfall. */
export function buildResolver(
  cards: readonly Card[],
  scryfallIds: ReadonlyMap<string, string>,
): Resolver {
  const search = new SearchIndex();
  for (const card of cards) search.add(card);
  search.commit();
  const byId = new Map<string, Card[]>();
  const add = (id: string, card: Card) => {
    byId.set(id, [...(byId.get(id) ?? []), card]);
  };
  for (const card of cards) {
    const product = tcgplayerId(card);
    const scryfall = scryfallIds.get(product);
    add(`tcgplayer\n${product}`, card);
    if (scryfall !== undefined) add(`scryfall\n${scryfall}`, card);
  }
  return new Resolver({
    search,
    cardsWithId: ({ space, id }) => byId.get(`${space}\n${id}`) ?? [],
  });
}
