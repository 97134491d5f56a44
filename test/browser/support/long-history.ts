/** A card with two printings, whose past is in {@link longHistory}. */
export const LONG_CARD = {
  id: 'lorcana-tfc-hades-king-of-olympus-5',
  name: 'Hades - King of Olympus',
  printings: ['Normal', 'Cold Foil'],
} as const;

const LAST = Date.parse('2026-01-28T00:00:00Z');
const MS_PER_DAY = 86_400_000;
const DAYS = 3650;
/** The days without observations, counted back from the last day. */
const GAP = { from: 8, to: 14 };

/**
 * Returns ten years of prices of {@link LONG_CARD} with a gap, and prices of its newest day, as
 * CSV.
 */
export function longHistory(): string {
  const rows = LONG_CARD.printings.flatMap((printing, index) => {
    const days = Array.from({ length: DAYS }, (_, age) => age);
    return days
      .filter((age) => age < GAP.from || age > GAP.to)
      .map((age) => rowOf(printing, index, age));
  });
  return `${HEAD}\n${rows.join('\n')}\n`;
}

const HEAD = 'card,printing,date,market,low,high,near_mint,lightly_played,psa_10,psa_9';

function rowOf(printing: string, index: number, age: number): string {
  const date = new Date(LAST - age * MS_PER_DAY).toISOString().slice(0, 10);
  const market = (1 + index) * (40 + 12 * Math.sin(age / 40) + 3 * Math.sin(age / 5));
  const figures = [market, market * 0.85, market * 6].map((amount) => amount.toFixed(2));
  const others =
    age === 0
      ? [market, market * 0.8, market * 5, market * 2].map((amount) => amount.toFixed(2))
      : ['', '', '', ''];
  return [LONG_CARD.id, printing, date, ...figures, ...others].join(',');
}
