import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  isOversized,
  isOversizedSet,
  nameInSet,
  withSizeInBrackets,
} from '../../src/domain/card-name.ts';

describe('an oversized card', () => {
  const saying = [
    'Charizard (Jumbo)',
    'Oloro, Ageless Ascetic (Oversized)',
    'Charizard [Jumbo Card]',
    'Darkrai & Cresselia Legend (Single Oversized Promo)',
    'Mabosstiff ex - Jumbo Card',
    'Espeon & Deoxys GX Oversized',
    'Espeon & Deoxys GX Oversized (SM Black Star Promo)',
    'Umbreon VMAX - Jumbo',
  ];
  for (const name of saying) test(`is ${name}`, () => assert.ok(isOversized(name)));

  const others = [
    'Charizard',
    'Jumbo Cactuar',
    'Jumbo Cactuar (Borderless)',
    'Super Vehicroid Jumbo Drill',
    'Jumbo Pop',
    'Dragon Oversized Egg',
    'Mumbo Jumbo',
    'Fred - Giant-Sized',
    'Giant Growth',
    'Alakazam (Box Topper)',
  ];
  for (const name of others) test(`is not ${name}`, () => assert.ok(!isOversized(name)));
});

test('a set of oversized cards says so in its name', () => {
  const names = ['Jumbo Cards', 'Oversize Cards', 'Commander 2013 Oversized', 'Promos (Oversized)'];
  for (const name of names) assert.ok(isOversizedSet(name), name);
  for (const name of ['Base Set', 'Battle Pack 2: War of the Giants', 'Jumbo Pack Tins']) {
    assert.ok(!isOversizedSet(name), name);
  }
});

describe('a card of a set of oversized cards', () => {
  const names: readonly [set: string, name: string, expected: string][] = [
    ['Jumbo Cards', 'Charizard', 'Charizard (Jumbo)'],
    ['Jumbo Cards', 'Charizard (CoroCoro Promo)', 'Charizard (CoroCoro Promo) (Jumbo)'],
    ['Oversize Cards', 'Animar, Soul of Elements', 'Animar, Soul of Elements (Oversized)'],
    ['Jumbo Cards', 'Mabosstiff ex - Jumbo Card', 'Mabosstiff ex - Jumbo Card'],
    ['Jumbo Cards', 'Espeon & Deoxys GX Oversized', 'Espeon & Deoxys GX Oversized'],
    ['Base Set', 'Charizard', 'Charizard'],
  ];
  for (const [set, name, expected] of names) {
    test(`${name} of ${set} is called ${expected}`, () => {
      assert.equal(nameInSet(set, name), expected);
    });
  }

  test('is compared with its size in brackets', () => {
    assert.equal(withSizeInBrackets('Mabosstiff ex - Jumbo Card'), 'Mabosstiff ex (Jumbo)');
    assert.equal(withSizeInBrackets('Espeon & Deoxys GX Oversized'), 'Espeon & Deoxys GX (Jumbo)');
    assert.equal(withSizeInBrackets('Umbreon VMAX - Jumbo'), 'Umbreon VMAX (Jumbo)');
    assert.equal(withSizeInBrackets('Jumbo Cactuar'), 'Jumbo Cactuar');
  });
});
