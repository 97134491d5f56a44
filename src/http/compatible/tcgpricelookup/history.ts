import { Type } from 'typebox';
import type { Printing } from '../../../domain/card.ts';
import type { CopyName } from '../../../domain/copy.ts';
import { type Day, PERIODS, type Period } from '../../../domain/day.ts';
import { ANY_GRADER } from '../../../domain/grade-names.ts';
import { levelOfGrade, partsOfGrade } from '../../../domain/grades.ts';
import type { HistoryDay } from '../../../domain/price.ts';
import { Defaulted, IdParameter } from '../../parameters.ts';
import { defineEndpoint, type PlanHistory } from '../../v1/endpoint.ts';
import { daysOfPeriod } from '../../v1/history.ts';
import { dateOf, dollars } from '../../v1/views.ts';
import { UNDOCUMENTED } from '../interface.ts';
import { NO_AVERAGES } from './card-view.ts';
import { requirePrinting } from './cards.ts';

/** The marketplaces of the interface. */
const SOURCES = ['tcgplayer', 'ebay'];

const PERIOD_NAMES = Object.keys(PERIODS).filter((period) => period !== 'all');

export const history = defineEndpoint({
  method: 'GET',
  path: '/compatible/tcgpricelookup/v1/cards/:id/history',
  feature: 'history',
  errors: ['CARD_NOT_FOUND'],
  schema: {
    ...UNDOCUMENTED,
    params: IdParameter,
    querystring: Type.Object({
      period: Defaulted(
        Type.Unsafe<Period>({ type: 'string', enum: PERIOD_NAMES, default: '30d' }),
      ),
    }),
    response: { 200: Type.Unknown() },
  },
  isCacheable: () => true,
  historyDays: daysOfPeriod,
  async answer({ catalog }, { params, query: { period } }, history) {
    const { card, printing } = requirePrinting(catalog, params.id);
    const asOf = catalog.asOf(card.set.game);
    const rows = await rowsOf(history, printing, { days: PERIODS[period], asOf });
    const byDay = [...Map.groupBy(rows, ({ day }) => day.day)].sort(([a], [b]) => a - b);
    const data = byDay.map(([day, rows]) => ({ date: dateOf(day), prices: rows.map(rowView) }));
    return { data, period };
  },
});

/** A day of a condition or grade. */
interface Row {
  readonly copy: CopyName;
  readonly day: HistoryDay;
}

/** Reads the days of a printing from the interface's marketplaces. */
async function rowsOf(
  history: PlanHistory,
  { rowId: printing, prices }: Printing,
  { days, asOf }: { readonly days: number | null; readonly asOf: Day | null },
): Promise<Row[]> {
  const figures = asOf === null ? [] : await history.last(days, asOf, printing);
  const nearMint = figures.map((day) => ({ copy: 'near_mint' as const, day }));
  // The four figures count as prices of near mint copies.
  const copies = Object.keys({ ...prices.conditions, ...prices.graded }).filter((copy) => {
    return figures.length === 0 || copy !== 'near_mint';
  }) as CopyName[];
  const others = await Promise.all(
    copies.map(async (copy) => {
      const read = await history.lastOfCopy(days, asOf, { printing, copy });
      return (read?.days ?? []).map((day) => ({ copy, day }));
    }),
  );
  return [...nearMint, ...others.flat()].filter(({ day: { provenance } }) => {
    return provenance !== null && SOURCES.includes(provenance.marketplace);
  });
}

function rowView({ copy, day }: Row) {
  const parts = partsOfGrade(copy);
  return {
    source: day.provenance?.marketplace ?? '',
    condition: parts ? null : copy,
    grader: parts && parts.grader.slug !== ANY_GRADER ? parts.grader.slug : null,
    grade: parts ? levelOfGrade(parts) : null,
    price_market: dollars(day.market),
    price_low: dollars(day.low),
    price_mid: dollars(day.mid),
    price_high: dollars(day.high),
    ...NO_AVERAGES,
  };
}
