/**
 * Measures how long `GET /v1/movers` looks for its movers, over all real cards with made changes.
 *
 *     node bench/movers.ts [--data ../shared/data] [--rounds 40] [--seed 1]
 *
 * A fifth of the priced printings has moved, as far as prices of a month do: that is more than in a
 * real week. What the first caller of a publication waits for, all movers being found, is apart.
 * The time of a variant is the median of its rounds, so that other work of the machine does not
 * count.
 */
import { parseArgs } from 'node:util';
import { type MoverFilter, Movers } from '../src/catalog/movers.ts';
import type { Card, Printing } from '../src/domain/card.ts';
import { type Day, startOfDay } from '../src/domain/day.ts';
import { GAME_SLUGS } from '../src/domain/games.ts';
import type { Cents } from '../src/domain/money.ts';
import { CHANGE_WINDOW_NAMES } from '../src/domain/price-changes.ts';
import { Draw } from './search/draw.ts';
import { readTree } from './search/tree.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: '../shared/data' },
    rounds: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
  },
});

const TODAY = 20_500 as Day;
const MOVED = 0.2;
const draw = new Draw(Number(values.seed), 'movers');

const cards = readTree(values.data).map(withMoves);
const movers = new Movers({
  publication: { revision: 1, id: 'made', publishedAt: null },
  cards: () => cards,
  asOf: () => TODAY,
  quarantinedOn: () => undefined,
});
const filters = variants();
const started = performance.now();
await movers.list(filters[0] as MoverFilter);
console.log(`${cards.length} cards, found in ${(performance.now() - started).toFixed(0)} ms`);

const rounds = Number(values.rounds);
const times = filters.map(() => new Float64Array(rounds));
let most = 0;
for (let round = 0; round < rounds; round++) {
  for (const [i, filter] of filters.entries()) {
    const start = performance.now();
    const list = await movers.list(filter);
    times[i]?.fill(performance.now() - start, round, round + 1);
    most = Math.max(most, list.movers.length + list.leftOut.length);
  }
}
const medians = Float64Array.from(times, (ofVariant) => quantile(ofVariant, 0.5));
const shown = [0.5, 0.99, 1].map((share) => quantile(medians, share).toFixed(3)).join(', ');
console.log(`${filters.length} variants, up to ${most} movers: p50, p99, slowest ${shown} ms`);

function quantile(all: Float64Array, share: number): number {
  const sorted = all.toSorted();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Every window, order and direction, of all games, of each one and of a set. */
function variants(): MoverFilter[] {
  const scopes = [{}, ...GAME_SLUGS.map((game) => ({ game })), { set: 'pokemon-base-set' }];
  return scopes.flatMap((scope) =>
    CHANGE_WINDOW_NAMES.flatMap((window) =>
      (['percent', 'amount'] as const).flatMap((sort) =>
        (['both', 'up', 'down'] as const).map((direction) => {
          return { ...scope, window, sort, direction, least: 100 as Cents };
        }),
      ),
    ),
  );
}

function withMoves(card: Card): Card {
  return { ...card, printings: card.printings.map(withMove) };
}

function withMove(printing: Printing): Printing {
  const { market } = printing.prices;
  if (market === null) return printing;
  const before = draw.chance(MOVED) ? Math.round(market * (0.5 + draw.below(150) / 100)) : market;
  const base = Math.max(1, before) as Cents;
  const bases = { '1d': base, '7d': base, '30d': base, doubts: {} };
  return { ...printing, prices: { ...printing.prices, figuresAt: startOfDay(TODAY) }, bases };
}
