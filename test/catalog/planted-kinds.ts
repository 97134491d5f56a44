import { seeded } from '../../bench/guard/random.ts';
import {
  between,
  distort,
  type MadeCard,
  type MadePrinting,
  type MadeSet,
  makePrinting,
  type Random,
  round,
  type Shape,
  wholeBetween,
} from './planted-moves.ts';

/** The kinds of mistakes and of true moves that are planted. */

const still = () => 1;

function shapeOf(random: Random, course: (ago: number) => number = still): Shape {
  return { price: between(random, 2, 200), hasListings: random() < 0.7, course };
}

function ordinary(kind: string, random: Random, changes: Partial<Shape> = {}): MadePrinting {
  return makePrinting(kind, random, { ...shapeOf(random), ...changes });
}

/** A factor up or down. */
function jump(random: Random, low: number, high: number): number {
  const factor = between(random, low, high);
  return random() < 0.6 ? factor : 1 / factor;
}

/** Mistakes of single cards, by their kind. */
export const MISTAKES: Readonly<Record<string, (random: Random) => MadeCard>> = {
  'other marketplace'(random) {
    const printing = ordinary('other marketplace', random);
    const since = wholeBetween(random, 0, 40);
    distort(printing, jump(random, 1.15, 4), 'all', (ago) => ago > since);
    for (const day of printing.days) if (day.ago > since) day.marketplace = 'pricecharting';
    return [printing];
  },
  'spike that came back'(random) {
    const printing = ordinary('spike that came back', random);
    const end = [1, 7, 30][wholeBetween(random, 0, 2)] ?? 1;
    const length = wholeBetween(random, 1, 3);
    const of = random() < 0.5 ? 'all' : 'market';
    distort(printing, jump(random, 1.2, 8), of, (ago) => ago >= end && ago < end + length);
    return [printing];
  },
  'jump of one day'(random) {
    const printing = ordinary('jump of one day', random);
    distort(printing, jump(random, 1.2, 8), 'market', (ago) => ago === 0);
    return [printing];
  },
  'row of another card'(random) {
    const printing = ordinary('row of another card', random);
    distort(printing, jump(random, 1.6, 20), 'all', (ago) => ago === 0);
    return [printing];
  },
  'market above all listings'(random) {
    const printing = ordinary('market above all listings', random, { hasListings: true });
    const since = wholeBetween(random, 1, 20);
    distort(printing, between(random, 1.3, 4), 'market', (ago) => ago <= since);
    for (const day of printing.days) {
      if (day.ago <= since) day.high = round(day.market / between(random, 1.6, 4));
    }
    return [printing];
  },
  'absurd spread'(random) {
    const printing = ordinary('absurd spread', random, { hasListings: true });
    const since = wholeBetween(random, 1, 20);
    distort(printing, jump(random, 1.2, 4), 'all', (ago) => ago <= since);
    for (const day of printing.days) {
      if (day.ago <= since) Object.assign(day, { low: 0.01, high: between(random, 50, 99_999) });
    }
    return [printing];
  },
  'one listing is left'(random) {
    const printing = ordinary('one listing is left', random, { hasListings: true });
    const since = wholeBetween(random, 1, 20);
    distort(printing, between(random, 1.2, 6), 'market', (ago) => ago <= since);
    for (const day of printing.days) {
      const asked = round(day.market * between(random, 1, 1.4));
      if (day.ago <= since) Object.assign(day, { low: asked, mid: asked, high: asked });
    }
    return [printing];
  },
  'listings that stayed'(random) {
    const printing = ordinary('listings that stayed', random, { hasListings: true });
    const since = wholeBetween(random, 1, 25);
    distort(printing, jump(random, 1.3, 5), 'market', (ago) => ago <= since);
    return [printing];
  },
  'a few cents'(random) {
    const price = between(random, 0.02, 0.3);
    const printing = ordinary('a few cents', random, { price });
    const since = wholeBetween(random, 1, 20);
    distort(printing, between(random, 2, 20), 'all', (ago) => ago <= since);
    return [Object.assign(printing, { isNever: true })];
  },
  quarantined(random) {
    const printing = ordinary('quarantined', random);
    const since = wholeBetween(random, 1, 6);
    distort(printing, jump(random, 1.3, 6), 'all', (ago) => ago <= since);
    return [Object.assign(printing, { quarantined: 0 })];
  },
  'swapped printings'(random) {
    const [normal, foil] = [ordinary('swapped printings', random), ordinary('other', random)];
    const since = wholeBetween(random, 1, 25);
    const factor = between(random, 1.25, 6);
    const shift = () => between(random, 0.99, 1.01);
    const before = normal.days.map(({ market, low, mid, high }) => ({ market, low, mid, high }));
    foil.days.forEach((day, index) => {
      const price = round((before[index]?.market ?? 1) * factor);
      Object.assign(day, { market: price, low: null, mid: null, high: null });
    });
    normal.days.forEach((day, index) => {
      const other = foil.days[index];
      if (day.ago > since || !other) return;
      const taken = round(other.market * shift());
      other.market = round(day.market * shift());
      Object.assign(day, { market: taken, low: null, mid: null, high: null });
    });
    return [normal, Object.assign(foil, { kind: 'swapped printings', isNever: true })];
  },
  'price of another printing'(random) {
    const normal = ordinary('price of another printing', random);
    const price = (normal.days.at(-1)?.market ?? 1) * between(random, 1.3, 8);
    const foil = ordinary('untouched', random, { price });
    const since = wholeBetween(random, 1, 20);
    normal.days.forEach((day, index) => {
      const { ago: _, ...other } = foil.days[index] ?? day;
      if (day.ago <= since) Object.assign(day, other);
    });
    return [normal, foil];
  },
  'no longer priced'(random) {
    const printing = ordinary('no longer priced', random, {
      course: (ago) => (ago < 5 ? 1 : 0.5),
    });
    printing.days.splice(-3, 3);
    return [Object.assign(printing, { isNever: true })];
  },
  'first price alone'(random) {
    const printing = ordinary('first price alone', random);
    const first = [1, 7, 30][wholeBetween(random, 0, 2)] ?? 1;
    distort(printing, jump(random, 1.3, 10), 'market', (ago) => ago === first);
    printing.days.splice(0, printing.days.length - first - 1);
    return [printing];
  },
};

/** True moves of single cards, by their kind. */
export const TRUE_MOVES: Readonly<Record<string, (random: Random) => MadeCard>> = {
  'true gradual move'(random) {
    const [perDay, days] = [between(random, 1.01, 1.06), wholeBetween(random, 4, 30)];
    const sign = random() < 0.6 ? -1 : 1;
    const course = (ago: number) => perDay ** (sign * Math.min(ago, days));
    return [makePrinting('true gradual move', random, shapeOf(random, course))];
  },
  'true step'(random) {
    const since = wholeBetween(random, 1, 25);
    const factor = jump(random, 1.15, 6);
    const course = (ago: number) => (ago <= since ? 1 : 1 / factor);
    return [makePrinting('true step', random, shapeOf(random, course))];
  },
  'true crash'(random) {
    const [since, length] = [wholeBetween(random, 1, 20), wholeBetween(random, 1, 3)];
    const depth = between(random, 1.5, 8);
    const course = (ago: number) => depth ** Math.min(1, Math.max(0, (ago - since) / length));
    return [makePrinting('true crash', random, shapeOf(random, course))];
  },
  'true move with gaps'(random) {
    const since = wholeBetween(random, 2, 25);
    const factor = jump(random, 1.2, 4);
    const course = (ago: number) => (ago <= since ? 1 : 1 / factor);
    const printing = makePrinting('true move with gaps', random, shapeOf(random, course));
    const kept = printing.days.filter(({ ago }) => ago < 2 || random() < 0.7);
    printing.days.splice(0, printing.days.length, ...kept);
    return [printing];
  },
  'true rise of both printings'(random) {
    const since = wholeBetween(random, 1, 25);
    const factor = between(random, 1.3, 3);
    const course = (ago: number) => (ago <= since ? 1 : 1 / factor);
    const shape = shapeOf(random, course);
    const foil = { ...shape, price: shape.price * between(random, 1.5, 5) };
    return [shape, foil].map((one) => makePrinting('true rise of both printings', random, one));
  },
  'true jump of today that listings follow'(random) {
    const factor = jump(random, 1.16, 1.45);
    const shape = shapeOf(random, (ago) => (ago === 0 ? 1 : 1 / factor));
    const kind = 'true jump of today that listings follow';
    return [makePrinting(kind, random, { ...shape, hasListings: true })];
  },
};

/** Sets of ordinary cards, among which single cards of all kinds are planted, and shifted sets. */
export function plantedSets(seed: number, perKind: number): MadeSet[] {
  const sets: MadeSet[] = [];
  const kinds = [...Object.values(MISTAKES), ...Object.values(TRUE_MOVES)];
  for (let number = 0; number < perKind; number += 1) {
    const random = seeded(seed, `set ${number}`);
    const quiet = Array.from({ length: 20 }, () => [ordinary('ordinary', random)]);
    sets.push([...quiet, ...kinds.map((plant) => plant(random))]);
  }
  for (let number = 0; number < perKind / 5; number += 1) {
    sets.push(shiftedSet(seeded(seed, `shifted set ${number}`)));
    sets.push(youngSet(seeded(seed, `young set ${number}`)));
  }
  return sets;
}

/** A set whose prices were all multiplied: euros as dollars, a wrong rate. */
function shiftedSet(random: Random): MadeSet {
  const since = wholeBetween(random, 1, 25);
  const factor = jump(random, 1.08, 2.5);
  return Array.from({ length: wholeBetween(random, 8, 40) }, () => {
    const printing = ordinary('shifted set', random);
    distort(printing, factor, 'all', (ago) => ago <= since);
    return [printing];
  });
}

/** A set after its release: everything falls, each card at its own pace. */
function youngSet(random: Random): MadeSet {
  return Array.from({ length: 30 }, () => {
    const perDay = between(random, 0.995, 1.07);
    const course = (ago: number) => perDay ** Math.min(ago, 20);
    return [makePrinting('true fall of a young set', random, shapeOf(random, course))];
  });
}
