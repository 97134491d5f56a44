import type { GameSlug } from '../../domain/games.ts';
import type { Resolution, ResolveItem } from '../../resolve/types.ts';
import { type Answer, type AnsweredRow, answerOf, refusal } from './answers.ts';
import { resolveAsked } from './nameless.ts';
import type { Asked, InputRow, NotAsked } from './rows.ts';

/** What finds the card that an item means. */
export interface Asking {
  resolve(
    items: readonly ResolveItem[],
    options: { readonly game?: GameSlug },
  ): Promise<readonly Resolution[]>;
  /** Whether a line of text may be a card; headings and comments are none. */
  isCard(text: string): boolean;
  readonly game?: GameSlug;
}

/** How many rows are asked about at a time. */
const BATCH = 200;

/** Answers rows in their order. Empty lines of tables have no answer. */
export async function* answerRows(
  rows: AsyncIterable<InputRow> | Iterable<InputRow>,
  asking: Asking,
): AsyncGenerator<AnsweredRow> {
  let batch: InputRow[] = [];
  for await (const row of rows) {
    if (isEmpty(row)) continue;
    batch.push(row);
    if (batch.length < BATCH) continue;
    yield* answerBatch(batch, asking);
    batch = [];
  }
  yield* answerBatch(batch, asking);
}

/** Whether a row is an empty line of a table. */
export function isEmpty({ asks }: InputRow): boolean {
  return 'status' in asks && asks.status === 'empty';
}

async function* answerBatch(
  batch: readonly InputRow[],
  asking: Asking,
): AsyncGenerator<AnsweredRow> {
  const asked = batch.flatMap(({ asks }) => ('item' in asks ? [asks] : []));
  const options = asking.game === undefined ? {} : { game: asking.game };
  const resolutions = await resolveAsked(asked, (items) => asking.resolve(items, options));
  const next = resolutions[Symbol.iterator]();
  for (const row of batch) yield { row, answer: answer(row, asking, next) };
}

function answer(
  { line, asks }: InputRow,
  asking: Asking,
  resolutions: Iterator<Resolution>,
): Answer {
  if (!('item' in asks)) return refuse(line, asks);
  const { value, done } = resolutions.next();
  if (done) throw new Error('the resolver gave fewer answers than it was asked for');
  const answered = answerOf(line, value);
  const { text } = asks.item;
  if (answered.status === 'unknown' && text !== undefined && !asking.isCard(text)) {
    return { ...answered, status: 'not_a_card' };
  }
  return withCopies(answered, asks);
}

function refuse(line: number, { status, reason }: NotAsked): Answer {
  // An empty line is left out before.
  return refusal(line, status === 'empty' ? 'not_a_card' : status, reason);
}

function withCopies(answered: Answer, { copies }: Asked): Answer {
  const counts = copies !== undefined && answered.status === 'matched';
  return counts ? { ...answered, quantity: copies } : answered;
}
