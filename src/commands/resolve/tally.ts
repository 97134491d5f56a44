import { formatCount } from '../output.ts';
import { isEmpty } from './answer.ts';
import type { Answer, AnsweredRow } from './answers.ts';
import type { InputRow } from './rows.ts';

/** Words for what is counted, in the order of the summary. */
const WORDS: Readonly<Record<Answer['status'], string>> = {
  matched: 'matched',
  ambiguous: 'ambiguous',
  unknown: 'unknown',
  not_a_card: 'not cards',
  unreadable: 'unreadable',
};

/** So many unreadable lines are named. */
const MOST_NAMED = 5;

/** Counts the answers to the lines of a file. */
export class Tally {
  readonly #counts = new Map<Answer['status'], number>();
  readonly #unreadable: string[] = [];
  #empty = 0;

  get unreadable(): number {
    return this.#counts.get('unreadable') ?? 0;
  }

  /** Passes rows on, and counts the empty lines of tables. */
  async *countEmpty(rows: AsyncIterable<InputRow> | Iterable<InputRow>): AsyncGenerator<InputRow> {
    for await (const row of rows) {
      if (isEmpty(row)) this.#empty += 1;
      yield row;
    }
  }

  /** Passes answers on, counts them, and tells the line of each. */
  async *count(
    rows: AsyncIterable<AnsweredRow>,
    onLine: (line: number) => void,
  ): AsyncGenerator<AnsweredRow> {
    for await (const answered of rows) {
      const { line, status, reasons } = answered.answer;
      this.#counts.set(status, (this.#counts.get(status) ?? 0) + 1);
      if (status === 'unreadable') this.#unreadable.push(`Line ${line}: ${reasons.join(' ')}`);
      onLine(line);
      yield answered;
    }
  }

  /** Sentences for people: counts, and what could not be read. */
  notes(): string[] {
    const total = [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
    const parts = Object.entries(WORDS).flatMap(([status, words]) => {
      const count = this.#counts.get(status as Answer['status']) ?? 0;
      return count === 0 ? [] : [`${formatCount(count)} ${words}`];
    });
    const rows = `${formatCount(total)} ${total === 1 ? 'row' : 'rows'}`;
    return [
      ...this.#namedUnreadable(),
      total === 0 ? `${rows}.` : `${rows}: ${parts.join(', ')}.`,
      ...this.#emptyNote(),
    ];
  }

  #namedUnreadable(): string[] {
    const more = this.#unreadable.length - MOST_NAMED;
    const rest = more > 0 ? [`${formatCount(more)} more lines could not be read.`] : [];
    return [...this.#unreadable.slice(0, MOST_NAMED), ...rest];
  }

  #emptyNote(): string[] {
    if (this.#empty === 0) return [];
    const lines = this.#empty === 1 ? 'line is' : 'lines are';
    return [`${formatCount(this.#empty)} empty ${lines} left out.`];
  }
}
