/** Reads queries with known answers and decides what counts as a hit. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Card } from '../../src/domain/card.ts';
import { withoutBrackets } from '../../src/domain/card-name.ts';
import { foldText } from '../../src/domain/text.ts';

export interface KnownQuery {
  readonly kind: string;
  readonly q: string;
  readonly game: string;
  readonly name: string;
  /** As printed; only where the query has a number or a code. */
  readonly number?: string;
}

/** The kinds of queries that mean a card with one number, not any card of the name. */
const NUMBERED = new Set(['name+number', 'name+code', 'code+number']);

/** Reads `<data>/search/queries.tsv`. */
export function readQueries(data: string): KnownQuery[] {
  const lines = readFileSync(join(data, 'search/queries.tsv'), 'utf8').trim().split('\n');
  return lines.slice(1).map((line) => {
    const [kind = '', q = '', game = '', name = '', number = ''] = line.split('\t');
    return NUMBERED.has(kind) ? { kind, q, game, name, number } : { kind, q, game, name };
  });
}

/** Whether a card with the game, name and number that the query means is among the cards. */
export function isHit(query: KnownQuery, cards: readonly Card[]): boolean {
  return cards.some(
    (card) =>
      card.set.game === query.game &&
      foldedName(card.name) === foldedName(query.name) &&
      (query.number === undefined || card.number === query.number),
  );
}

function foldedName(name: string): string {
  return foldText(withoutBrackets(name));
}
