import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buildChartDays } from '../../../../web/src/cards/history/days.ts';
import {
  findQuarantined,
  findSourceChanges,
  placeEvents,
  stackMarks,
} from '../../../../web/src/cards/history/events.ts';

function from(date: string, source: string | null, marketplace: string | null = 'tcgplayer') {
  return { date, source, marketplace };
}

describe('A change of the source', () => {
  it('is on the first day of the new source, and says whether the marketplace changed', () => {
    const changes = findSourceChanges([
      from('2026-01-01', 'archive'),
      from('2026-01-02', 'archive'),
      from('2026-01-04', 'tcgcsv'),
      from('2026-01-05', 'guide', 'pricecharting'),
    ]);
    assert.deepEqual(changes, [
      {
        kind: 'source',
        date: '2026-01-04',
        text: 'tcgplayer prices now come from tcgcsv instead of archive.',
      },
      {
        kind: 'source',
        date: '2026-01-05',
        text: 'The marketplace changed from tcgplayer to pricecharting.',
      },
    ]);
  });

  it('is not assumed where the source was not recorded', () => {
    assert.deepEqual(findSourceChanges([from('2026-01-01', null), from('2026-01-02', 'a')]), []);
    const gap = [from('2026-01-01', 'a'), from('2026-01-02', null), from('2026-01-03', 'a')];
    assert.deepEqual(findSourceChanges(gap), []);
  });
});

type Entry = Parameters<typeof findQuarantined>[0][number];

const ENTRY: Entry = {
  printing: 'Foil',
  id: 1,
  source: 'tcgcsv',
  marketplace: 'tcgplayer',
  externalId: null,
  currency: 'USD',
  days: 1,
  observedAt: '2026-01-03T20:05:12Z',
  quarantinedAt: '2026-01-04T00:00:00Z',
  rule: 'price-jump',
  decision: null,
  settledBy: '',
  closesOn: null,
  actions: [],
  explanation: 'Too far from its past.',
  amounts: [
    { name: 'market', value: 200, was: 2, ratio: 100 },
    { name: 'psa_10', value: 900, was: null, ratio: null },
  ],
};

describe('A quarantined price', () => {
  it('is an event of its printing and of the grade, condition or market price', () => {
    assert.deepEqual(findQuarantined([ENTRY], 'Foil', 'market'), [
      {
        kind: 'quarantined',
        date: '2026-01-03',
        text: 'tcgplayer reported $200.00. This report is not accepted yet.',
      },
    ]);
    assert.match(findQuarantined([ENTRY], 'Foil', 'psa_10')[0]?.text ?? '', /\$900\.00/);
    assert.deepEqual(findQuarantined([ENTRY], 'Foil', 'psa_9'), []);
    assert.deepEqual(findQuarantined([ENTRY], 'Normal', 'market'), []);
  });

  it('says what has become of it', () => {
    const textOf = (decision: string | null) => {
      return findQuarantined([{ ...ENTRY, decision }], 'Foil', 'market')[0]?.text ?? '';
    };
    assert.match(textOf(null), /not accepted yet\.$/);
    assert.match(textOf('rejected'), /The operator rejected this report\.$/);
    assert.match(textOf('closed'), /Nothing has confirmed it since\.$/);
  });

  it('may be one that is gone', () => {
    const gone = { ...ENTRY, printing: null, amounts: [] };
    const [event] = findQuarantined([gone], 'Normal', 'market');
    assert.match(event?.text ?? '', /^tcgplayer reported that the price is gone\./);
    assert.deepEqual(findQuarantined([gone], 'Normal', 'psa_10'), []);
  });
});

describe('The events of a chart', () => {
  const days = buildChartDays([], '7d', '2026-01-10');
  const event = (date: string) => ({ kind: 'disputed', date, text: date }) as const;
  const placed = (...dates: readonly string[]) => {
    return placeEvents(days, dates.map(event)).map(({ date, index }) => [date, index]);
  };

  it('are at their days, oldest first', () => {
    assert.deepEqual(placed('2026-01-09', '2026-01-04'), [
      ['2026-01-04', 0],
      ['2026-01-09', 5],
    ]);
  });

  it('have marks above each other where they would cover each other', () => {
    assert.deepEqual(stackMarks([10, 40, 50, 55, 90], 20), [0, 0, 1, 2, 0]);
  });

  it('leave out those before the first day; later ones are at the last day', () => {
    assert.deepEqual(placed('2026-01-03', '2026-01-12'), [['2026-01-12', 6]]);
  });
});
