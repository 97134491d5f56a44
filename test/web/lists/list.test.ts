import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import Papa from 'papaparse';
import type { CandidateBody, ResolvedBody } from '../../../web/src/api/responses.ts';
import {
  amountsOf,
  answered,
  conversionNote,
  type ListRow,
  linesOf,
  listCsv,
  listedCard,
  type Terms,
  totalOf,
} from '../../../web/src/lists/list.ts';
import { DETAILS } from './details.ts';

const CHARIZARD: CandidateBody = {
  id: 'pokemon-bs-charizard-004',
  name: 'Charizard',
  game: 'pokemon',
  setId: 'pokemon-base-set',
  setCode: 'BS',
  number: '004/102',
  set: 'Base Set',
  rarity: 'Holo Rare',
  image: null,
  printing: 'Holofoil',
  prices: { market: 453.86, stale: false, confidence: null },
  reasons: ['It is in Base Set.'],
};
const MATCHED: ResolvedBody = {
  status: 'matched',
  card: CHARIZARD,
  printing: '1st Edition Holofoil',
  market: 0.1,
  quantity: 3,
  condition: null,
  grade: null,
  confidence: 0.9,
  reasons: ['The name fits.'],
};
const AMBIGUOUS: ResolvedBody = {
  status: 'ambiguous',
  candidates: [CHARIZARD],
  reasons: ['It is in 2 sets.'],
};
const DOLLARS: Terms = { percent: undefined, currency: 'USD' };

function row(text: string, answer: ResolvedBody, chosen?: CandidateBody): ListRow {
  return { number: 1, text, answer, chosen };
}

describe('The lines of a list', () => {
  it('keep their places, without the empty ones', () => {
    assert.deepEqual(linesOf(' Deck \r\n\r\n\t\n1 Elsa\rx'), [
      { number: 1, text: 'Deck' },
      { number: 4, text: '1 Elsa' },
      { number: 5, text: 'x' },
    ]);
    assert.deepEqual(linesOf(' \n'), []);
  });
});

describe('The card of a line in another language', () => {
  const german: ResolvedBody = {
    ...MATCHED,
    card: {
      ...CHARIZARD,
      language: 'de',
      printing: null,
      prices: { ...CHARIZARD.prices, market: null },
    },
    printing: null,
    language: 'de',
    market: null,
    noPrice: 'No price of a German copy is known.',
    reasons: ['The name fits.', 'No price of a German copy is known.'],
  };

  it('has no price of the English one, in the list and in its file', () => {
    const line = row('1 Charizard 4/102 german', german);
    const card = listedCard(line);
    assert.deepEqual([card?.language, card?.price, card?.printing], ['de', null, null]);
    assert.equal(card?.noPrice, german.noPrice);
    assert.deepEqual(totalOf([line], DOLLARS).unpriced, [card]);
    const [head = [], cells = []] = Papa.parse<string[]>(listCsv([line], DOLLARS)).data;
    assert.equal(cells[head.indexOf('language')], 'de');
    assert.equal(cells[head.indexOf('market')], '');
  });
});

describe('The card of a line', () => {
  it('has the price of the printing that is meant', () => {
    const card = listedCard(row('3 Charizard 1st', MATCHED));
    assert.equal(card?.printing, '1st Edition Holofoil');
    assert.equal(card.price, 0.1);
    assert.equal(card.quantity, 3);
  });

  it('has the price of its grade or condition, or none, with the reason', () => {
    const graded = { ...MATCHED, grade: 'PSA 9', market: 90 };
    assert.equal(listedCard(row('a', graded))?.price, 90);
    const noPrice = 'No source prices a PSA 9 of this printing.';
    const unpriced = listedCard(row('a', { ...graded, market: null, noPrice }));
    assert.deepEqual([unpriced?.price, unpriced?.noPrice], [null, noPrice]);
  });

  it('has no raw price if it is chosen for a line that names a grade', () => {
    const priceOf = { printing: 'Holofoil', condition: null, grade: 'psa_9' };
    const answer = { ...AMBIGUOUS, condition: null, grade: 'PSA 9' };
    const card = listedCard(row('PSA 9', answer, { ...CHARIZARD, price: null, priceOf }));
    assert.deepEqual([card?.price, card?.grade], [null, 'PSA 9']);
    const priced = { ...CHARIZARD, price: 90, priceOf };
    assert.equal(listedCard(row('PSA 9', answer, priced))?.price, 90);
  });

  it('is the one that the reader chose, in the quantity of the line', () => {
    assert.equal(listedCard(row('Charizard', AMBIGUOUS)), undefined);
    for (const [text, quantity] of Object.entries({
      Charizard: 1,
      '4 Charizard': 4,
      '12x Charizard': 12,
      '0 Charizard': 1,
      '1999 Charizard': 1,
      '3D Charizard': 1,
    })) {
      assert.equal(listedCard(row(text, AMBIGUOUS, CHARIZARD))?.quantity, quantity, text);
    }
  });

  it('counts toward the value to the cent; without a price, only toward the copies', () => {
    const unpriced = { ...MATCHED, market: null, quantity: 2 };
    const rows = [row('a', MATCHED), row('b', unpriced), row('c', AMBIGUOUS)];
    const { unpriced: without, ...total } = totalOf(rows, DOLLARS);
    assert.deepEqual(total, { lines: 2, copies: 5, value: 0.3, unsure: 0, pay: 0 });
    assert.deepEqual(
      without.map(({ name, quantity }) => [name, quantity]),
      [['Charizard', 2]],
    );
    const none = { lines: 0, copies: 0, unpriced: [], value: 0, unsure: 0, pay: 0 };
    assert.deepEqual(totalOf([], DOLLARS), none);
  });

  it('tells how much of the value is of thin or disputed prices', () => {
    const levels = ['confirmed', 'single-source', 'stale', 'thin', 'disputed'] as const;
    const rows = levels.map((level) => {
      const priceConfidence = { level, sources: 1, observations: 1 };
      return row(level, { ...MATCHED, quantity: 1, market: 10, priceConfidence });
    });
    const { value, unsure } = totalOf(rows, DOLLARS);
    assert.deepEqual([value, unsure], [50, 20]);
  });
});

describe('An edited line', () => {
  it('has the quantity that the reader enters, of none as well', () => {
    const line = row('3 Charizard', MATCHED);
    assert.equal(listedCard({ ...line, quantity: 12 })?.quantity, 12);
    assert.equal(totalOf([{ ...line, quantity: 0 }], DOLLARS).value, 0);
  });

  it('has the printing and the price of the copy that the reader picks', () => {
    const picked = {
      card: DETAILS,
      printing: 'Holofoil',
      condition: null,
      grade: 'psa_9',
    } as const;
    const graded = listedCard({ ...row('3 Charizard', MATCHED), picked });
    assert.deepEqual([graded?.printing, graded?.grade, graded?.price], ['Holofoil', 'PSA 9', 90]);
    assert.equal(graded?.quantity, 3);
    const played = listedCard({
      ...row('Charizard', AMBIGUOUS, CHARIZARD),
      picked: { ...picked, grade: null, condition: 'damaged' },
    });
    assert.deepEqual([played?.condition, played?.price], ['damaged', null]);
    assert.equal(played?.noPrice, 'No source prices a damaged copy of this printing.');
  });

  it('loses the reason why another copy had no price', () => {
    const answer = { ...MATCHED, grade: 'PSA 8', market: null, noPrice: 'No source prices it.' };
    const picked = { card: DETAILS, printing: 'Holofoil', condition: null, grade: null };
    const card = listedCard({ ...row('Charizard PSA 8', answer), picked });
    assert.deepEqual([card?.grade, card?.price, card?.noPrice], [null, 453.86, undefined]);
  });
});

describe('The line of a sealed product', () => {
  it('has its name, its price and no number', () => {
    const product = {
      kind: 'product',
      id: 'pokemon-bs-booster-box',
      name: 'Base Set Booster Box',
      game: 'pokemon',
      set: 'Base Set',
      setId: 'pokemon-base-set',
      setCode: 'BS',
      type: 'booster-box',
      upc: null,
      image: null,
      printing: null,
      prices: { ...CHARIZARD.prices, changes: { '1d': null, '7d': null, '30d': null } },
    } as unknown as NonNullable<ResolvedBody['product']>;
    const answer = { status: 'matched', product, quantity: 2, market: 9000, reasons: [] } as const;
    const card = listedCard(row('2 Base Set Booster Box', { ...answer, reasons: [] }));
    assert.deepEqual(
      [card?.name, card?.number, card?.price, card?.isProduct, card?.href],
      ['Base Set Booster Box', null, 9000, true, '/products/pokemon-bs-booster-box'],
    );
    assert.equal(
      totalOf([row('2 Base Set Booster Box', { ...answer, reasons: [] })], DOLLARS).value,
      18_000,
    );
  });
});

describe('What to pay for a list', () => {
  const buying = { percent: 62.5, currency: 'USD' } as const;
  const priced = (market: number | null, quantity: number) => {
    return row('Charizard', { ...MATCHED, market, quantity });
  };

  it('is the percentage of each line, rounded half up to a cent, and the sum of these', () => {
    const rows = [priced(0.1, 3), priced(0.2, 3), priced(null, 9)];
    // 18.75 and 37.5 cents.
    const pays = rows.map((one) => amountsOf(listedCard(one) ?? assert.fail(), one, buying).pay);
    assert.deepEqual(pays, [0.19, 0.38, null]);
    assert.equal(totalOf(rows, buying).pay, 0.57);
  });

  it('is another percentage for a line that has its own', () => {
    const rows = [{ ...priced(10, 1), percent: 50 }, priced(10, 1)];
    assert.equal(totalOf(rows, buying).pay, 11.25);
  });
});

describe('A list in another currency', () => {
  const lines = linesOf('3 Charizard\nCharizard');
  const sent = { lines, game: '', currency: 'EUR' } as const;
  const euros = (card: CandidateBody) => ({ ...card, prices: { ...card.prices, market: 420.05 } });
  const converted = { from: 'USD', rate: 0.92549745, date: '2026-01-28' } as const;

  it('keeps the candidates that were chosen, with their new prices', () => {
    const [first, second] = answered(sent, [MATCHED, AMBIGUOUS]).rows;
    assert.ok(first && second && second.chosen === undefined);
    const before = [first, { ...second, chosen: CHARIZARD }];
    const other = { ...CHARIZARD, id: 'other' };
    const ambiguous = { ...AMBIGUOUS, candidates: [other, euros(CHARIZARD)] };
    const { rows, currency } = answered(sent, [{ ...MATCHED, market: 0.09 }, ambiguous], before);
    assert.deepEqual(
      rows.map((one) => listedCard(one)?.price),
      [0.09, 420.05],
    );
    assert.equal(currency, 'EUR');
  });

  it('says by which rate prices were converted, or why there are none', () => {
    const note = (...answers: readonly ResolvedBody[]) => conversionNote(answered(sent, answers));
    const expected =
      'Prices that no source has in EUR are converted from USD at 0.9255 of Jan 28, 2026.';
    assert.equal(note(MATCHED, { ...MATCHED, converted }), expected);
    const reason = 'No exchange rate from US dollars to EUR is known for 2026-02-05.';
    assert.equal(note({ ...MATCHED, market: null, reason }), reason);
    assert.equal(note(MATCHED, AMBIGUOUS), undefined);
  });

  it('is summed in whole cents, or yen beyond ten million', () => {
    const yen = { ...MATCHED, market: 12_000_000, quantity: 2 };
    assert.equal(totalOf([row('a', yen)], { ...DOLLARS, currency: 'JPY' }).value, 24_000_000);
  });

  it('names the currency of each price in its file', () => {
    const { rows } = answered(sent, [MATCHED, { status: 'unknown', candidates: [], reasons: [] }]);
    const [head = [], ...cells] = Papa.parse<string[]>(
      listCsv(rows, { ...DOLLARS, currency: 'EUR' }).trim(),
    ).data;
    const at = head.indexOf('currency');
    assert.deepEqual(
      cells.map((line) => line[at]),
      ['EUR', ''],
    );
  });
});

describe('A list as CSV', () => {
  const parsed = (rows: readonly ListRow[]) => {
    return Papa.parse<Record<string, string>>(listCsv(rows, DOLLARS), {
      header: true,
      skipEmptyLines: true,
    });
  };

  it('has a row for each line, with the card if it is known', () => {
    const { data, errors } = parsed([
      row('3 Charizard, "1st"', MATCHED),
      row('Charizard', AMBIGUOUS),
      row('Charizard', AMBIGUOUS, CHARIZARD),
    ]);
    assert.deepEqual(errors, []);
    assert.deepEqual(
      data.map(({ text, status, card, market }) => [text, status, card, market]),
      [
        ['3 Charizard, "1st"', 'matched', CHARIZARD.id, '0.1'],
        ['Charizard', 'ambiguous', '', ''],
        ['Charizard', 'chosen', CHARIZARD.id, '453.86'],
      ],
    );
  });

  it('has what each line is worth and what to pay as numbers, without a price neither', () => {
    const unpriced = { ...MATCHED, market: null };
    const rows = [row('a', MATCHED), row('b', unpriced)];
    const csv = listCsv(rows, { percent: 62.5, currency: 'USD' });
    const { data } = Papa.parse<Record<string, string>>(csv, {
      header: true,
      skipEmptyLines: true,
    });
    assert.deepEqual(
      data.map(({ quantity, market, value, percent, pay }) => [
        quantity,
        market,
        value,
        percent,
        pay,
      ]),
      [
        ['3', '0.1', '0.3', '62.5', '0.19'],
        ['3', '', '', '', ''],
      ],
    );
  });

  it('has no text that a spreadsheet reads as a formula', () => {
    for (const text of ['=1+1', '+1', '-1+1', '@SUM(A1)', '\t=1']) {
      const { data } = parsed([row(text, { ...AMBIGUOUS, reasons: [text] })]);
      assert.equal(data[0]?.text, `'${text}`);
      assert.equal(data[0].reasons, `'${text}`);
    }
  });
});
