/**
 * Measures how well and how fast the search finds real cards.
 *
 *     node bench/search.ts [--data ../shared/data] [--held-back] [--missed] [--seed 1] \
 *                          [--every 1] [--times 4]
 *
 * --held-back  also kinds of queries that the search was not built for, with their rates
 * --missed     lists the queries that miss, each with the card that comes first
 * --every      sends one query in so many
 * --seed       for the misspellings and the kinds held back
 * --times      how many times the cards are in the large catalogue at the end
 */
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Card } from '../src/domain/card.ts';
import { withCopies } from './search/copies.ts';
import { addForeignNames, foreignQueries, makeForeignNames } from './search/foreign.ts';
import { HARD } from './search/hard.ts';
import { makeHeldBack } from './search/held-back.ts';
import { buildIndex, hitRate, measure, type Outcome, quantile } from './search/measure.ts';
import { makeMisspellings, makeMisspeltWords } from './search/misspellings.ts';
import {
  type KnownQuery,
  readEverydayQueries,
  readMixedQueries,
  readQueries,
} from './search/queries.ts';
import { readTree } from './search/tree.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: '../shared/data' },
    'held-back': { type: 'boolean' },
    missed: { type: 'boolean' },
    seed: { type: 'string', default: '1' },
    every: { type: 'string', default: '1' },
    times: { type: 'string', default: '4' },
  },
});

// Makes gc() available without --expose-gc: memory is measured after a collection.
setFlagsFromString('--expose-gc');
globalThis.gc = runInNewContext('gc');

const ROUNDS = 5;
const LARGE_ROUNDS = 3;
const FOREIGN_NAMES = 300_000;
const FOREIGN_QUERIES = 2000;

const cards = readTree(values.data);
const names = readQueries(values.data).filter(isSent);
const mixed = readMixedQueries(values.data).filter(isSent);
const everyday = readEverydayQueries(values.data).filter(isSent);
const queries = [...names, ...mixed, ...everyday];
console.log(`${cards.length} cards, ${queries.length} queries, node ${process.version}\n`);

const built = buildIndex(cards);
const outcomes = measure(built.index, queries, ROUNDS);
const TIMES = [
  ['p50', 0.5],
  ['p99', 0.99],
  ['slowest', 1],
] as const;

printHits();
printCosts();
printHard();
printMade('misspelt as another word', makeMisspellings(cards, Number(values.seed)));
printMade('one such word alone', makeMisspeltWords(cards, Number(values.seed)));
if (values['held-back']) printMade('kinds held back', makeHeldBack(cards, Number(values.seed)));
if (values.missed) printMissed(outcomes);
printForeign();
printLarge();

function isSent(_: KnownQuery, place: number): boolean {
  return place % Number(values.every) === 0;
}

/** Prints a row for each kind of query, and one for each file of them. */
function printHits(): void {
  const kinds = Map.groupBy(outcomes, ({ query }) => query.kind);
  const outcomesOf = (some: readonly KnownQuery[]) => {
    const sent = new Set(some);
    return outcomes.filter(({ query }) => sent.has(query));
  };
  const groups = [
    ...kinds,
    [`all ${names.length} of names`, outcomesOf(names)] as const,
    [`all ${mixed.length} mixed`, outcomesOf(mixed)] as const,
    [`all ${everyday.length} everyday`, outcomesOf(everyday)] as const,
  ];
  printRates('queries', groups);
}

function printRates(
  title: string,
  groups: readonly (readonly [what: string, some: readonly Outcome[]])[],
): void {
  const rows = groups.map(([what, some]) => [
    ...[what, `${some.length}`, percent(hitRate(some, 5)), percent(hitRate(some, 1))],
    ...TIMES.map(([, share]) => milliseconds(some, share)),
  ]);
  const head = [title, 'count', 'first five', 'first place', ...TIMES.map(([what]) => what)];
  printTable(head, rows);
}

function printCosts(): void {
  const { buildMs, megabytes } = built;
  printTable(
    ['build', 'size'],
    [[`${(buildMs / 1000).toFixed(2)} s`, `${megabytes.toFixed(0)} MB`]],
  );
}

/** Prints the rates of queries that were made. */
function printMade(title: string, made: readonly KnownQuery[]): void {
  const found = measure(built.index, made, ROUNDS);
  printRates(title, [...Map.groupBy(found, ({ query }) => query.kind), ['all', found]]);
  if (values.missed) printMissed(found);
}

function printHard(): void {
  const rows = measure(built.index, HARD, 1).map(({ query, rank }) => {
    return [query.kind, query.q, query.name, rank === undefined ? '–' : 'yes'];
  });
  printTable(['hard case', 'typed', 'meant', 'found'], rows);
}

function printMissed(some: readonly Outcome[]): void {
  const rows = some
    .filter(({ rank }) => rank === undefined)
    .map(({ query: { kind, q, ...meant }, found }) => {
      return [kind, q, Object.values(meant).join(', '), found[0] ? told(found[0]) : 'nothing'];
    });
  printTable(['missed by cardprice', 'typed', 'meant', 'first answer'], rows);
}

function told({ name, number, rarity, set }: Card): string {
  return [set.game, name, set.name, number, rarity].filter((each) => each !== null).join(', ');
}

/** Measures the index with names in other languages, which it then keeps. */
function printForeign(): void {
  const made = makeForeignNames(cards, FOREIGN_NAMES);
  const megabytes = addForeignNames(built.index, made);
  const foreign = foreignQueries(made, FOREIGN_QUERIES, Number(values.seed));
  const plain = measure(built.index, queries, ROUNDS);
  printRates(`with ${made.length} foreign names, ${megabytes.toFixed(0)} MB`, [
    [`all ${queries.length} as before`, plain],
    ...Map.groupBy(measure(built.index, foreign, ROUNDS), ({ query }) => query.kind),
  ]);
}

function printLarge(): void {
  const many = withCopies(cards, Number(values.times));
  const { index, buildMs, megabytes } = buildIndex(many);
  const found = measure(index, queries, LARGE_ROUNDS);
  printTable(
    [`${values.times} times the catalogue`, ...TIMES.map(([what]) => what), 'build', 'size'],
    [
      [
        `${many.length} cards`,
        ...TIMES.map(([, share]) => milliseconds(found, share)),
        `${(buildMs / 1000).toFixed(2)} s`,
        `${megabytes.toFixed(0)} MB`,
      ],
    ],
  );
}

function milliseconds(outcomes: readonly Outcome[], share: number): string {
  return `${quantile(outcomes, share).toFixed(2)} ms`;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)}%`;
}

function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  console.log([line(head), line(head.map(() => '---')), ...rows.map(line), ''].join('\n'));
}
