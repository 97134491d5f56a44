import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { openFabCube } from '../../src/sources/fab-cube/read.ts';
import { FeedFolder, readFeed } from '../support/feeds.ts';

const FIXTURE = 'test/fixtures/fab-cube';

async function referenceOf(number: string, variant: string | null = null) {
  const { items } = await readFeed(openFabCube, FIXTURE);
  const found = items.find(({ card }) => card.number === number && card.variant === variant);
  return found?.card ?? assert.fail(number);
}

/** Copies the fixture with one file replaced; returns the folder. */
function changed(name: string, change: (text: string) => string): string {
  const folder = new FeedFolder();
  const copy = folder.copy(FIXTURE);
  folder.write(join('fab-cube', name), change(readFileSync(join(copy, name), 'utf8')));
  return copy;
}

describe('fab-cube', () => {
  test('yields cards without prices', async () => {
    const { items, broken } = await readFeed(openFabCube, FIXTURE);
    assert.deepEqual(broken, []);
    assert.equal(items.length, 6);
    assert.ok(items.every(({ observations }) => observations.length === 0));
  });

  test('describes a card by the printings of its product', async () => {
    assert.deepEqual(await referenceOf('ARC006'), {
      externalId: 'highOctanePrinting0F1',
      game: 'fab',
      name: 'High Octane (Red)',
      number: 'ARC006',
      setCode: 'ARC',
      setName: 'Arcane Rising',
      rarity: 'Majestic',
      variant: null,
      externalIds: { tcgplayer: '225548' },
      printings: [
        'Unlimited Edition Normal',
        '1st Edition Normal',
        'Unlimited Edition Rainbow Foil',
        '1st Edition Rainbow Foil',
      ],
      image: 'https://storage.googleapis.com/fabmaster/media/images/ARC006.width-450.png',
      releaseDate: '2020-03-27',
    });
  });

  test('names foils after their edition', async () => {
    const { printings, name } = await referenceOf('ARC000');
    assert.equal(name, 'Eye of Ophidia (Blue)');
    assert.deepEqual(printings, ['Unlimited Edition Rainbow Foil', '1st Edition Cold Foil']);
    const { printings: golden, releaseDate } = await referenceOf('FAB001', 'Extended Art');
    assert.deepEqual([golden, releaseDate], [['Cold Foil'], null]);
  });

  test('takes the colour of the card where its printing has no pitch', async () => {
    const { name, externalIds, image } = await referenceOf('SEA093');
    assert.deepEqual([name, externalIds, image], ['Goldfin Harpoon (Yellow)', {}, null]);
    assert.equal((await referenceOf('1HP001')).name, 'Rhinar, Reckless Rampage');
  });

  test('makes a card of each art that TCGplayer does not list yet', async () => {
    const { rarity, printings } = await referenceOf('SEA093', 'Full Art, Alternate Art');
    assert.deepEqual([rarity, printings], ['Marvel', ['Cold Foil']]);
  });

  test('finds the set of an edition where several sets share a code', async () => {
    assert.equal((await referenceOf('1HP001')).setName, 'History Pack 1');
  });

  test('names unknown codes and continues', async () => {
    const location = changed('card-printing.csv', (text) => {
      return text.replace('\tFAB\tN\tP\tG\tEA', '\tFAB\tN\tP\tX\tEA').replace('wr9wB', 'nobody');
    });
    const { items, broken } = await readFeed(openFabCube, location);
    assert.equal(items.length, 4);
    assert.deepEqual(broken, [
      { name: '1HP001', reason: 'its card nobodytTWwRrPrdhCRHCdN is not in card.csv' },
      { name: 'FAB001', reason: 'the foiling X is not known' },
    ]);
  });

  test('names broken rows', async () => {
    const location = changed('card-printing.csv', (text) => `${text}a\tb\n`);
    const { items, broken } = await readFeed(openFabCube, location);
    assert.equal(items.length, 6);
    assert.deepEqual(
      broken.map(({ name }) => name),
      ['card-printing.csv, row 12'],
    );
  });

  test('refuses a table with too many broken rows, and counts them all', async () => {
    const location = changed('card-printing.csv', (text) => `${text}${'a\tb\n'.repeat(5)}`);
    await assert.rejects(readFeed(openFabCube, location), {
      name: 'OperatorError',
      message: /card-printing\.csv is not imported: 5 of 15 rows are bad/,
    });
  });

  test('reads the other tables next to its main table or elsewhere', async () => {
    const main = join(FIXTURE, 'card-printing.csv');
    assert.equal((await readFeed(openFabCube, main)).items.length, 6);
    const alone = new FeedFolder();
    const copy = alone.copy(main);
    await assert.rejects(readFeed(openFabCube, copy), {
      name: 'OperatorError',
      message: /card\.csv cannot be read/,
    });
    const files = {
      cards: join(FIXTURE, 'card.csv'),
      sets: join(FIXTURE, 'set.csv'),
      'set-printings': join(FIXTURE, 'set-printing.csv'),
    };
    assert.equal((await readFeed(openFabCube, copy, { files })).items.length, 6);
  });

  test('refuses one table in the place of another', async () => {
    const location = changed('set.csv', () => readFileSync(join(FIXTURE, 'card.csv'), 'utf8'));
    await assert.rejects(readFeed(openFabCube, location), {
      name: 'OperatorError',
      message: /set\.csv is not that table of the-fab-cube: must have required properties/,
    });
  });

  test('refuses a table without a readable header', async () => {
    const location = changed('set.csv', (text) => `"${text}`);
    await assert.rejects(readFeed(openFabCube, location), {
      name: 'OperatorError',
      message: /set\.csv cannot be read: no header: /,
    });
  });
});
