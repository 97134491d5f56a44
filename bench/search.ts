/**
 * Measures how well and how fast this search and other engines find cards, on the same cards and
 * queries.
 *
 *     node bench/search.ts [--data ../shared/data] [--ours]
 */
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  buildFts5,
  buildMiniSearch,
  buildOurs,
  buildPostgres,
  type Engine,
  highestPriceFirst,
} from './search/engines.ts';
import { fourfold } from './search/fourfold.ts';
import { HARD } from './search/hard.ts';
import { type Measured, measure } from './search/measure.ts';
import { isHit, readQueries } from './search/queries.ts';
import { readTree } from './search/tree.ts';

const { values } = parseArgs({
  options: { data: { type: 'string', default: '../shared/data' }, ours: { type: 'boolean' } },
});

// Makes gc() available without --expose-gc: memory is measured after a collection.
setFlagsFromString('--expose-gc');
globalThis.gc = runInNewContext('gc');

const OUR_ROUNDS = 5;
const THEIR_ROUNDS = 1;

const cards = readTree(values.data);
const queries = readQueries(values.data);
console.log(`${cards.length} cards, ${queries.length} queries, node ${process.version}\n`);

const ours = await measure(buildOurs(cards), queries, OUR_ROUNDS);
const engines: Measured[] = [ours];
if (!values.ours) {
  for (const build of [buildMiniSearch, buildFts5, buildPostgres]) {
    engines.push(await measure(await build(highestPriceFirst(cards)), queries, THEIR_ROUNDS));
  }
}
printQuality(engines);
printCosts(engines);
await printHard(engines.map(({ engine }) => engine));
printMissed(ours);
for (const { engine } of engines) await engine.close();
await printFourfold();

function printQuality(measured: readonly Measured[]): void {
  const rows = [...ours.hits.keys()].map((kind) => [
    kind,
    ...measured.map(({ hits }) => percent(hits.get(kind) ?? { hits: 0, of: 1 })),
  ]);
  const all = measured.map(({ missed }) =>
    percent({ hits: queries.length - missed.length, of: queries.length }),
  );
  printTable(['hits in the first five', ...names(measured)], [...rows, ['all', ...all]]);
}

function printCosts(measured: readonly Measured[]): void {
  const row = (what: string, cell: (each: Measured) => string) => [what, ...measured.map(cell)];
  printTable(
    ['cost', ...names(measured)],
    [
      row('p50', ({ p50 }) => `${p50.toFixed(3)} ms`),
      row('p99', ({ p99 }) => `${p99.toFixed(2)} ms`),
      row('slowest', ({ max }) => `${max.toFixed(2)} ms`),
      row('build', ({ engine }) => `${(engine.buildMs / 1000).toFixed(2)} s`),
      row('size', ({ engine }) => `${engine.megabytes.toFixed(0)} MB`),
    ],
  );
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

function printMissed({ missed }: Measured): void {
  const rows = missed.map(({ kind, q, game, name, number }) => [kind, q, game, name, number ?? '']);
  printTable(['missed by cardprice', 'typed', 'game', 'meant', 'number'], rows);
}

async function printFourfold(): Promise<void> {
  const many = fourfold(cards);
  const { engine, p50, p99, max } = await measure(buildOurs(many), queries, OUR_ROUNDS);
  printTable(
    ['fourfold catalogue', 'p50', 'p99', 'slowest', 'build', 'size'],
    [
      [
        `${many.length} cards`,
        ...[p50, p99, max].map((ms) => `${ms.toFixed(3)} ms`),
        `${(engine.buildMs / 1000).toFixed(2)} s`,
        `${engine.megabytes.toFixed(0)} MB`,
      ],
    ],
  );
}

function names(measured: readonly Measured[]): string[] {
  return measured.map(({ engine }) => engine.name);
}

function percent({ hits, of }: { readonly hits: number; readonly of: number }): string {
  return `${((100 * hits) / of).toFixed(1)}%`;
}

function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  console.log([line(head), line(head.map(() => '---')), ...rows.map(line), ''].join('\n'));
}
