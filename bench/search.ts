/**
 * Measures how well and how fast this search and other engines find cards, on the same cards and
 * queries.
 *
 *     node bench/search.ts [--data ../shared/data] [--ours] [--held-back] [--missed] [--seed 1]
 *       [--every 1]
 *
 * --ours       this search alone
 * --held-back  also kinds of queries that the search was not built by, with their rates
 * --missed     lists the queries that this search misses, each with the card that it puts first
 * --every      sends one query of so many, since some engines take half an hour for all
 * --seed       of the misspellings and of the kinds that are held back
 */
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Card } from '../src/domain/card.ts';
import { buildFts5, buildPostgres } from './search/databases.ts';
import {
  buildMiniSearch,
  buildOrama,
  buildOurs,
  type Engine,
  highestPriceFirst,
} from './search/engines.ts';
import { fourfold } from './search/fourfold.ts';
import { HARD } from './search/hard.ts';
import { makeHeldBack } from './search/held-back.ts';
import { hitRate, type Measured, measure, type Outcome, quantile } from './search/measure.ts';
import { makeMisspellings, makeMisspeltWords } from './search/misspellings.ts';
import { isHit, type KnownQuery, readMixedQueries, readQueries } from './search/queries.ts';
import { readTree } from './search/tree.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: '../shared/data' },
    ours: { type: 'boolean' },
    'held-back': { type: 'boolean' },
    missed: { type: 'boolean' },
    seed: { type: 'string', default: '1' },
    every: { type: 'string', default: '1' },
  },
});

// Makes gc() available without --expose-gc: memory is measured after a collection.
setFlagsFromString('--expose-gc');
globalThis.gc = runInNewContext('gc');

const OUR_ROUNDS = 5;
const FOURFOLD_ROUNDS = 3;
const THEIR_ROUNDS = 1;

const cards = readTree(values.data);
const names = readQueries(values.data).filter(isSent);
const mixed = readMixedQueries(values.data).filter(isSent);
const queries = [...names, ...mixed];
console.log(`${cards.length} cards, ${queries.length} queries, node ${process.version}\n`);

const ours = await measure(await buildOurs(cards), queries, OUR_ROUNDS);
const engines: Measured[] = [ours];
if (!values.ours) {
  for (const build of [buildMiniSearch, buildFts5, buildPostgres, buildOrama]) {
    engines.push(await measure(await build(highestPriceFirst(cards)), queries, THEIR_ROUNDS));
  }
}
const TIMES = [
  ['p50', 0.5],
  ['p99', 0.99],
  ['slowest', 1],
] as const;

printHits('hits in the first five', 5);
printHits('hits in the first place', 1);
printCosts(engines);
await printHard(engines.map(({ engine }) => engine));
await printMade('misspelt as another word', makeMisspellings(cards, Number(values.seed)));
await printMade('one such word alone', makeMisspeltWords(cards, Number(values.seed)));
if (values['held-back']) {
  await printMade('kinds held back', makeHeldBack(cards, Number(values.seed)));
}
if (values.missed) printMissed(ours.outcomes);
for (const { engine } of engines) await engine.close();
await printFourfold();

function isSent(_: KnownQuery, place: number): boolean {
  return place % Number(values.every) === 0;
}

/** Prints a row for each kind of query, and one for each file of them. */
function printHits(title: string, places: number): void {
  const kinds = new Set(queries.map(({ kind }) => kind));
  const row = (what: string, some: (outcome: Outcome) => boolean) => [
    what,
    ...engines.map(({ outcomes }) => percent(hitRate(outcomes.filter(some), places))),
  ];
  printTable(
    [title, ...engines.map(({ engine }) => engine.name)],
    [
      ...[...kinds].map((kind) => row(kind, ({ query }) => query.kind === kind)),
      row(`all ${names.length} of names`, ({ query }) => names.includes(query)),
      row(`all ${mixed.length} mixed`, ({ query }) => mixed.includes(query)),
    ],
  );
}

function printCosts(measured: readonly Measured[]): void {
  const row = (what: string, cell: (each: Measured) => string) => [what, ...measured.map(cell)];
  const times = (of: string, some: (outcome: Outcome) => boolean) =>
    TIMES.map(([what, share]) =>
      row(`${what}, ${of}`, ({ outcomes }) => milliseconds(outcomes.filter(some), share)),
    );
  printTable(
    ['cost', ...measured.map(({ engine }) => engine.name)],
    [
      ...times('names', ({ query }) => names.includes(query)),
      ...times('mixed', ({ query }) => mixed.includes(query)),
      ...times('both', () => true),
      row('build', ({ engine }) => `${(engine.buildMs / 1000).toFixed(2)} s`),
      row('size', ({ engine }) => `${engine.megabytes.toFixed(0)} MB`),
    ],
  );
}

/** Prints how well this search alone does on queries that were made. */
async function printMade(title: string, made: readonly KnownQuery[]): Promise<void> {
  const { outcomes } = await measure(ours.engine, made, OUR_ROUNDS);
  const kinds = Map.groupBy(outcomes, ({ query }) => query.kind);
  const rows = [...kinds, ['all', outcomes] as const].map(([kind, some]) => [
    ...[kind, `${some.length}`, percent(hitRate(some, 5)), percent(hitRate(some, 1))],
    ...TIMES.map(([, share]) => milliseconds(some, share)),
  ]);
  const head = [title, 'queries', 'first five', 'first place', ...TIMES.map(([what]) => what)];
  printTable(head, rows);
  if (values.missed) printMissed(outcomes);
}

async function printHard(engines: readonly Engine[]): Promise<void> {
  const rows: string[][] = [];
  for (const query of HARD) {
    const found: string[] = [];
    for (const engine of engines) {
      found.push(isHit(query, await engine.search(query.q)) ? 'yes' : '–');
    }
    rows.push([query.kind, query.q, query.name, ...found]);
  }
  printTable(['hard case', 'typed', 'meant', ...engines.map(({ name }) => name)], rows);
}

function printMissed(outcomes: readonly Outcome[]): void {
  const rows = outcomes
    .filter(({ rank }) => rank === undefined)
    .map(({ query: { kind, q, ...meant }, found }) => {
      return [kind, q, Object.values(meant).join(', '), found[0] ? told(found[0]) : 'nothing'];
    });
  printTable(['missed by cardprice', 'typed', 'meant', 'first answer'], rows);
}

function told({ name, number, rarity, set }: Card): string {
  return [set.game, name, set.name, number, rarity].filter((each) => each !== null).join(', ');
}

async function printFourfold(): Promise<void> {
  const many = fourfold(cards);
  const { engine, outcomes } = await measure(await buildOurs(many), queries, FOURFOLD_ROUNDS);
  printTable(
    ['fourfold catalogue', ...TIMES.map(([what]) => what), 'build', 'size'],
    [
      [
        `${many.length} cards`,
        ...TIMES.map(([, share]) => milliseconds(outcomes, share)),
        `${(engine.buildMs / 1000).toFixed(2)} s`,
        `${engine.megabytes.toFixed(0)} MB`,
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
