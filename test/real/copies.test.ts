/** Prices copies of real graded cards. The files are not part of the repository. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, type TestContext, test } from 'node:test';
import { Catalog } from '../../src/catalog/catalog.ts';
import { defaultPrinting } from '../../src/domain/card.ts';
import { priceOfCopy } from '../../src/domain/copy.ts';
import { formatGrade, type Grade } from '../../src/domain/grade-names.ts';
import { COMPANY_GRADES } from '../../src/domain/grade-spellings.ts';
import { gradeOf } from '../../src/domain/grades.ts';
import { CONDITION_NAMES, CONDITIONS } from '../../src/domain/price.ts';
import { resolverOf } from '../../src/http/resources.ts';
import { importFeed } from '../../src/ingest/drivers/feed.ts';
import { openPriceCharting } from '../../src/sources/pricecharting/read.ts';
import { openStore, type Store } from '../../src/store/connect.ts';
import { createDatabase, type TestDatabase } from '../support/engines.ts';
import { feedOptions } from '../support/feeds.ts';
import { importTree } from '../support/tcgcsv.ts';

const DATA = new URL('../../../shared/data', import.meta.url).pathname;
const NOW = Date.parse('2026-03-06');
const GRADES: readonly Grade[] = COMPANY_GRADES.map(gradeOf);

let database: TestDatabase;
let store: Store;
let catalog: Catalog;

before(async () => {
  database = await createDatabase('SQLite');
  store = await openStore(database.location);
  await importTree(store, join(DATA, 'tcgcsv'));
  const file = join(DATA, 'pricecharting/pokemon-cards.csv');
  const options = { ...feedOptions(), now: NOW, observedAt: Date.parse('2026-03-05') };
  await importFeed(store, await openPriceCharting(file, options), { clock: () => NOW });
  catalog = new Catalog(store);
  await catalog.refresh();
});
after(async () => {
  await store.close();
  await database.remove();
});

/** A line about a copy of a card, and the prices that the card has. */
interface Line {
  readonly text: string;
  readonly id: string;
  /** In cents; undefined if no source has it. */
  readonly price: number | undefined;
}

function makeLines(): Line[] {
  const cards = [...catalog.cards()];
  return cards.flatMap((card): Line[] => {
    const printing = defaultPrinting(card);
    if (!printing || card.number === null) return [];
    const { graded, conditions } = printing.prices;
    if (Object.keys(graded).length === 0) return [];
    const named = `${card.name} ${card.number} ${card.set.name}`;
    const ofGrades = GRADES.map((grade) => {
      return { text: `${named} ${formatGrade(grade)}`, id: card.id, price: graded[grade] };
    });
    const ofConditions = CONDITIONS.map((condition) => {
      const text = `${named} ${CONDITION_NAMES[condition]}`;
      return { text, id: card.id, price: conditions[condition] };
    });
    return [...ofGrades, ...ofConditions];
  });
}

describe('lines that name a grade or a condition of a real card', () => {
  test('have the price of that copy, or none with the reason', async (context) => {
    const lines = makeLines();
    const answers = await resolverOf(catalog).resolve(lines.map(({ text }) => ({ text })));
    const asked = lines.map((line, index) => ({ line, answer: answers[index] }));
    const matched = asked.flatMap(({ line, answer }) => {
      if (answer?.status !== 'matched' || answer.card.id !== line.id) return [];
      const found = priceOfCopy(answer.printing, answer.copy, false);
      return [{ line, price: found.price ?? undefined, found }];
    });
    const priced = matched.filter(({ price }) => price !== undefined);
    const wrong = priced.filter(({ line, price }) => price !== line.price);
    const missed = matched.filter(({ line, price }) => price === undefined && line.price);
    const counts = {
      lines: lines.length,
      matched: matched.length,
      priced: priced.length,
      missed: missed.length,
    };
    report(context, counts);
    assert.deepEqual(
      wrong.map(({ line }) => line.text),
      [],
    );
    assert.ok(matched.every(({ found }) => found.price !== null || found.noPrice.length > 0));
    assert.ok(counts.matched > 0.99 * counts.lines);
    assert.ok(counts.priced > 1000 && counts.missed <= 0.01 * counts.priced);
  });
});

function report(context: TestContext, counts: Readonly<Record<string, number>>): void {
  context.diagnostic(JSON.stringify(counts));
}
