import type { Motif as MotifName } from '../../../src/domain/games/game.ts';
import { motifNameOf } from './glyphs.ts';

/** The drawing of a game, as SVG path data in a square of 100 × 100. */
export interface Motif {
  /** Faint areas behind everything. */
  readonly areas: string;
  /** Thin lines. */
  readonly lines: string;
  /** Solid shapes in front. */
  readonly shapes: string;
}

type DrawMotif = (seed: number) => Motif;

/**
 * Returns the motif of a card: the motif of its game, turned or moved by the id to make cards
 * differ. The same id always gets the same motif. Unknown games get concentric circles.
 */
export function motifOf(game: string, id: string): Motif {
  return MOTIFS[motifNameOf(game)](seedOf(id));
}

const MOTIFS: Readonly<Record<MotifName, DrawMotif>> = {
  blades,
  blossom,
  circles,
  compass,
  orbits,
  pentagons,
  sunrise,
  triangles,
  waves,
};

/** A sun with its rays above two hills. */
function sunrise(seed: number): Motif {
  const [x, y] = [28 + seed * 44, 54];
  const rays = repeat(12, (i) => wedge([x, y], (i + seed) / 12, 0.5 / 12));
  const far = `M-40 ${70 + seed * 6}Q${20 + seed * 20} ${48 - seed * 8} 70 74T140 66V150H-40Z`;
  const near = 'M-40 92Q10 70 52 84T140 80V150H-40Z';
  return { areas: rays + near, lines: far + near, shapes: circle(15, x, y) };
}

/** The moon over rows of waves. */
function waves(seed: number): Motif {
  const rows = repeat(6, (row) =>
    repeat(6, (column) => {
      const [x, y] = [column * 20 + (row % 2) * 10 - 5, 64 + row * 8];
      return [10, 6].map((r) => `M${x - r} ${y}a${r} ${r} 0 0 1 ${2 * r} 0`).join('');
    }),
  );
  const x = 24 + seed * 52;
  return { areas: circle(27, x, 32), lines: rows, shapes: circle(19, x, 32) };
}

/** Nested pentagons, each slightly turned. */
function pentagons(seed: number): Motif {
  const step = 0.018 + seed * 0.03;
  const nested = repeat(9, (i) => polygon(5, 62 - i * 6, { turn: seed + i * step }));
  const corners = repeat(5, (i) => {
    const [x, y] = around(38, seed + 2 * step + i / 5);
    return circle(3.2, x, y);
  });
  return { areas: polygon(5, 62, { turn: seed }), lines: nested, shapes: corners + circle(5) };
}

/** Nested triangles, each slightly turned, in a ring of rays. */
function triangles(seed: number): Motif {
  const step = 0.03 + seed * 0.025;
  const nested = repeat(8, (i) => polygon(3, 60 * 0.78 ** i, { turn: seed / 3 + i * step }));
  const rays = repeat(18, (i) => wedge([50, 50], (i + seed) / 18, 0.36 / 18));
  const core = polygon(3, 60 * 0.78 ** 8, { turn: seed / 3 + 8 * step });
  return { areas: rays, lines: circle(59) + circle(62) + nested, shapes: core };
}

/** A blossom of petals in a hexagon. */
function blossom(seed: number): Motif {
  const petals = repeat(12, (i) => {
    const [x, y] = around(22, (i + seed) / 12);
    return circle(22, x, y);
  });
  const hexagons = polygon(6, 54, { turn: seed / 6 }) + polygon(6, 58, { turn: seed / 6 });
  return { areas: circle(44), lines: petals + hexagons, shapes: star(6, 10, 4, seed / 6) };
}

/** A compass rose above the sea. */
function compass(seed: number): Motif {
  const turn = (seed - 0.5) / 6;
  const ticks = repeat(24, (i) => {
    const [from, to] = [around(36, i / 24 + turn), around(39, i / 24 + turn)];
    return `M${points([from])}L${points([to])}`;
  });
  const sea = repeat(4, (i) => `M-60 ${88 + i * 8}${'q10 -7 20 0t20 0'.repeat(6)}`);
  const rose = star(4, 34, 6, turn);
  const lines = circle(36) + circle(41) + star(4, 25, 7, turn + 1 / 8) + ticks + sea;
  return { areas: circle(41), lines, shapes: rose };
}

/** Worlds on their orbits among stars. */
function orbits(seed: number): Motif {
  const tilt = 0.9 + seed * 0.2;
  const paths = [26, 40, 56].map((r) => ellipse(r, r * 0.42, tilt)).join('');
  const stars = repeat(14, (i) => {
    const [x, y] = around(30 + ((i * 37 + seed * 60) % 50), i * 0.381 + seed);
    return circle(0.7, x, y);
  });
  const worlds = [26, 40, 56].map((r, i) => {
    const [x, y] = onEllipse([r, r * 0.42], tilt, seed * 2 + i * 0.37);
    return circle(2.2 + i * 0.9, x, y);
  });
  return { areas: circle(30), lines: paths, shapes: circle(10) + worlds.join('') + stars };
}

/** Two crossed blades before a lattice. */
function blades(seed: number): Motif {
  const lattice = repeat(17, (i) => {
    const x = i * 14 - 112 + seed * 14;
    return `M${round(x)} -40l180 180M${round(x + 100)} -40l-180 180`;
  });
  const spread = 0.07 + seed * 0.09;
  const pair = [spread, -spread].map(
    (turn) => star(2, 52, 4.5, turn) + star(2, 15, 3, turn + 0.25),
  );
  return { areas: polygon(4, 46), lines: lattice + polygon(4, 46), shapes: pair.join('') };
}

/** Concentric circles. */
function circles(seed: number): Motif {
  const lines = repeat(8, (i) => circle(8 + i * 7, 40 + seed * 20, 50));
  return { areas: circle(30), lines, shapes: circle(5, 40 + seed * 20, 50) };
}

type Point = readonly [x: number, y: number];

/**
 * A number from 0 to 1 that is always the same for an id: FNV-1a, mixed once more for ids with the
 * same ending.
 */
function seedOf(id: string): number {
  let hash = 0x811c9dc5;
  for (const char of id) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193);
  return (Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0) / 2 ** 32;
}

/** The point at a distance from the centre; `turn` counts whole turns clockwise from the top. */
function around(radius: number, turn: number, [x, y]: Point = [50, 50]): Point {
  const angle = (turn - 0.25) * 2 * Math.PI;
  return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
}

function polygon(corners: number, radius: number, { turn = 0, y = 50 } = {}): string {
  const all = Array.from({ length: corners }, (_, i) =>
    around(radius, turn + i / corners, [50, y]),
  );
  return `M${points(all)}Z`;
}

/** A star, which with two tips is a slender rhombus. */
function star(tips: number, outer: number, inner: number, turn = 0): string {
  const all = Array.from({ length: 2 * tips }, (_, i) =>
    around(i % 2 === 0 ? outer : inner, turn + i / (2 * tips)),
  );
  return `M${points(all)}Z`;
}

/** A ray that leaves the square, `width` whole turns wide. */
function wedge(from: Point, turn: number, width: number): string {
  return `M${points([from, around(160, turn, from), around(160, turn + width, from)])}Z`;
}

function circle(radius: number, x = 50, y = 50): string {
  return `M${round(x - radius)} ${round(y)}${arc(radius, radius, 2 * radius)}`;
}

function arc(rx: number, ry: number, width: number): string {
  return `a${round(rx)} ${round(ry)} 0 1 0 ${round(width)} 0a${round(rx)} ${round(ry)} 0 1 0 ${round(-width)} 0`;
}

function ellipse(rx: number, ry: number, turn: number): string {
  const [start, half] = [onEllipse([rx, ry], turn, 0), onEllipse([rx, ry], turn, 0.5)];
  const sweep = `A${round(rx)} ${round(ry)} ${round(turn * 360)} 0 1`;
  return `M${points([start])}${sweep} ${points([half])}${sweep} ${points([start])}`;
}

/** The point at a share of an ellipse's way; the ellipse itself is turned by `turn`. */
function onEllipse([rx, ry]: Point, turn: number, part: number): Point {
  const [angle, tilt] = [part * 2 * Math.PI, turn * 2 * Math.PI];
  const [x, y] = [rx * Math.cos(angle), ry * Math.sin(angle)];
  return [
    50 + x * Math.cos(tilt) - y * Math.sin(tilt),
    50 + x * Math.sin(tilt) + y * Math.cos(tilt),
  ];
}

function points(all: readonly Point[]): string {
  return all.map(([x, y]) => `${round(x)} ${round(y)}`).join('L');
}

function repeat(count: number, draw: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => draw(index)).join('');
}

/** One decimal is finer than a pixel at the largest size. */
function round(value: number): number {
  return Math.round(value * 10) / 10;
}
