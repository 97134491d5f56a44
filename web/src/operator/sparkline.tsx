import { formatMoney } from '../ui/format.ts';
import type { MarketTrail, QuarantinedItem } from './responses.ts';

const WIDTH = 120;
const HEIGHT = 32;
/** Room for the dots at the ends. */
const MARGIN = 4;

const DAY_MS = 86_400_000;

/** A day and its amount in dollars. */
type Point = readonly [day: number, amount: number];

/**
 * The market price of a printing on the last days that are known, with the quarantined price at its
 * end as a dot that no line leads to. What it shows is said beside it.
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
      <polyline class="trail" points={places.map((point) => point.join(',')).join(' ')} />
      {last && held && <Step from={last} to={place(held)} />}
      {last && !held && <Dot at={last} kind="known" />}
    </svg>
  );
}

type Place = readonly [x: number, y: number];

/** From what was accepted last to what is quarantined. */
function Step({ from, to }: { readonly from: Place; readonly to: Place }) {
  return (
    <>
      <line class="step" x1={from[0]} y1={from[1]} x2={to[0]} y2={to[1]} />
      <Dot at={from} kind="known" />
      <Dot at={to} kind="held" />
    </>
  );
}

function Dot({ at: [x, y], kind }: { readonly at: Place; readonly kind: 'known' | 'held' }) {
  return <circle class={kind} cx={x} cy={y} r="2.5" />;
}

function pointsOf({ from, market }: MarketTrail): Point[] {
  const first = Date.parse(from) / DAY_MS;
  return market.flatMap((amount, index): Point[] => {
    return amount === null ? [] : [[first + index, amount]];
  });
}

/** Only a market price in dollars has a place among the market prices of the history. */
function heldPoint({ amount, value, currency, observedOn }: QuarantinedItem): Point | undefined {
  if (amount !== 'market' || value === null || currency !== 'USD' || observedOn === null) {
    return undefined;
  }
  return [Date.parse(observedOn) / DAY_MS, value];
}

/** Returns where a point is drawn, so that all of `points` have room. */
function placer(points: readonly Point[]): (point: Point) => Place {
  const [days, amounts] = [points.map(([day]) => day), points.map(([, amount]) => amount)];
  const across = scale(Math.min(...days), Math.max(...days), WIDTH);
  const up = scale(Math.min(...amounts), Math.max(...amounts), HEIGHT);
  return ([day, amount]) => [across(day), HEIGHT - up(amount)];
}

function scale(from: number, to: number, length: number): (value: number) => number {
  const room = length - 2 * MARGIN;
  return (value) => {
    const share = to === from ? 0.5 : (value - from) / (to - from);
    return Math.round((MARGIN + share * room) * 10) / 10;
  };
}

/** Describes what a line shows: `90 days: $8.00 to $12.00`. */
function describe(points: readonly Point[]): string {
  const amounts = points.map(([, amount]) => amount);
  const [least, most] = [Math.min(...amounts), Math.max(...amounts)].map(formatMoney);
  const days = (points.at(-1)?.[0] ?? 0) - (points[0]?.[0] ?? 0) + 1;
  const span = days === 1 ? '1 day' : `${days} days`;
  return least === most ? `${span} at ${least}` : `${span}: ${least} to ${most}`;
}
