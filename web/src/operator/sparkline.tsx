import type { MarketTrail, QuarantinedItem } from '../api/responses.ts';
import { linearScale, linePath, type Point } from '../charts/geometry.ts';
import { formatCounted, formatMoney } from '../ui/format.ts';

const WIDTH = 120;
const HEIGHT = 32;
/** Room for the dots at the ends. */
const MARGIN = 4;

const DAY_MS = 86_400_000;

/**
 * The last known market prices of a printing, with the quarantined price as a dot at the end. A
 * text next to it describes the line.
 */
export function Sparkline({ item }: { item: QuarantinedItem }) {
  const { history } = item;
  const known = history ? pointsOf(history) : [];
  if (known.length === 0) return null;
  const held = heldPoint(item);
  return (
    <span class="sparkline">
      {known.length + (held ? 1 : 0) > 1 && <Drawing known={known} held={held} />}
      <span class="quiet">{describe(known)}</span>
    </span>
  );
}

interface DrawingProps {
  readonly known: readonly Point[];
  readonly held: Point | undefined;
}

function Drawing({ known, held }: DrawingProps) {
  const place = placer(held ? [...known, held] : known);
  const places = known.map(place);
  const last = places.at(-1);
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} height={HEIGHT} aria-hidden="true">
      <path class="trail" d={linePath(places)} />
      {last && held && <path class="step" d={linePath([last, place(held)])} />}
      {last && <circle class="known" cx={last[0]} cy={last[1]} r="2.5" />}
      {held && <circle class="held" cx={place(held)[0]} cy={place(held)[1]} r="2.5" />}
    </svg>
  );
}

function pointsOf({ from, market }: MarketTrail): Point[] {
  const first = Date.parse(from) / DAY_MS;
  return market.flatMap((amount, index): Point[] => {
    return amount === null ? [] : [[first + index, amount]];
  });
}

/** Returns the quarantined price if it is a market price in dollars, like the history. */
function heldPoint({ amount, value, currency, observedOn }: QuarantinedItem): Point | undefined {
  if (amount !== 'market' || value === null || currency !== 'USD' || observedOn === null) {
    return undefined;
  }
  return [Date.parse(observedOn) / DAY_MS, value];
}

/** Returns a function that places a day and its amount so that all `points` have room. */
function placer(points: readonly Point[]): (point: Point) => Point {
  const [days, amounts] = [points.map(([day]) => day), points.map(([, amount]) => amount)];
  const x = linearScale([Math.min(...days), Math.max(...days)], [MARGIN, WIDTH - MARGIN]);
  const y = linearScale([Math.min(...amounts), Math.max(...amounts)], [HEIGHT - MARGIN, MARGIN]);
  return ([day, amount]) => [x(day), y(amount)];
}

/** Describes a line: `90 days: $8.00 to $12.00`. */
function describe(points: readonly Point[]): string {
  const amounts = points.map(([, amount]) => amount);
  const [least, most] = [Math.min(...amounts), Math.max(...amounts)].map((amount) =>
    formatMoney(amount),
  );
  const days = (points.at(-1)?.[0] ?? 0) - (points[0]?.[0] ?? 0) + 1;
  const span = formatCounted(days, 'day');
  return least === most ? `${span} at ${least}` : `${span}: ${least} to ${most}`;
}
