import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resolveOne, told } from './resolve-cards.ts';

const CHARIZARD = '1 Charizard, BS 004/102, Unlimited Holofoil';

describe('a title', () => {
  const titles: readonly (readonly [title: string, answer: string])[] = [
    ['1999 Pokemon Base Set Charizard Holo 4/102 PSA 9', CHARIZARD],
    ['WOW!! Charizard - 004/102 - Base Set - Holo Rare - Pokemon TCG Card x1', CHARIZARD],
    ['MTG Lightning Bolt #149 Magic 2011 NM', '1 Lightning Bolt, M11 149, Normal'],
    ['Magic Lightning Bolt M11 149 Foil LP', '1 Lightning Bolt, M11 149, Foil'],
    ['Lorcana Elsa - Snow Queen 41/204 Cold Foil', '1 Elsa - Snow Queen, TFC 41/204, Cold Foil'],
    ['One Piece Roronoa Zoro OP06-118 Parallel', '1 Roronoa Zoro (Parallel), OP-06 OP06-118, Foil'],
    ['Paladin en-Vec 32 Ninth Edition', '1 Paladin en-Vec, 9ED 32, Normal'],
    ['MTG Fire', '1 Fire // Ice, APC 128, Normal'],
    ['Pummel Blue Welcome to Rathe WTR208', '1 Pummel (Blue), WTR WTR208, Normal'],
  ];
  for (const [title, answer] of titles) {
    it(`is read with its words in any order: ${title}`, async () => {
      assert.equal(await told(title), answer);
    });
  }

  it('is read by the longest name in it', async () => {
    assert.equal(await told('Gengar ex 104/198'), '1 Gengar ex, SVI 104/198, Holofoil');
    const number = await told('Luster Dragon #2');
    assert.equal(number, '1 Luster Dragon #2, RA01 RA01-EN007, 1st Edition');
  });

  it('offers the cards whose name it has but for a few letters', async () => {
    for (const text of ['Padalin en-Vec 32', 'Padalin en-Vec', 'MTG Padalin en-Vec #32']) {
      assert.match(await told(text), /^ambiguous/, text);
      const answer = await resolveOne(text);
      assert.ok(answer.status === 'ambiguous');
      const names = new Set(answer.candidates.map(({ card }) => card.name));
      assert.deepEqual([...names], ['Paladin en-Vec'], text);
      for (const { reasons } of answer.candidates) {
        assert.match(reasons.join(), /but for a few letters|only similar to/);
      }
    }
    assert.match(await told('Padalin en-Vec Ninth Edition 32'), /^1 Paladin en-Vec/);
    assert.match(await told('Padelon enVoc'), /^unknown/);
  });

  it('means any kind of alternate art', async () => {
    const lugia = '1 Lugia V (Alternate Full Art), SWSH12 186/195, Holofoil';
    assert.equal(await told('Lugia V alt art'), lugia);
    assert.equal(await told('Lugia V Silver Tempest Alternate Art PSA 10'), lugia);
    assert.match(await told('Lumineon V alt art'), /^unknown/);
  });

  it('with holo means the card that exists only in holofoil', async () => {
    const answer = await resolveOne('Dark Gyarados Team Rocket Holo');
    assert.ok(answer.status === 'ambiguous');
    assert.deepEqual(
      answer.candidates.map(({ card }) => card.number),
      ['008/082'],
    );
    assert.match(await told('Dark Gyarados Team Rocket 1st Edition Holo'), /008\/082/);
  });

  it('may call a card without editions unlimited', async () => {
    const gengar = await told('Gengar Expedition unlimited 13/165');
    assert.equal(gengar, '1 Gengar, EX 013/165, Holofoil');
    assert.match(await told('Luster Dragon LOB-EN002 unlimited'), /^ambiguous/);
  });

  it('is read by the short name of an old set', async () => {
    assert.equal(await told('Sol Ring Alpha'), '1 Sol Ring, LEA 270, Normal');
  });

  it('has no number in the name of a set in another script', async () => {
    assert.match(await told('Lightning Bolt カード149'), /^ambiguous/);
  });

  it('is read through what a machine misread', async () => {
    const answer = '1 Lumineon V, SWSH12 040/195, Holofoil';
    assert.equal(await told('Lurnineon V Illus. N. Kole O40/195 ©2022'), answer);
    assert.equal(await told('Lumineom V 40 / 195 Stage'), answer);
  });

  it('returns condition and grade', async () => {
    const answer = await resolveOne('Pokemon Pikachu 062/198 Lightly Played');
    assert.ok(answer.status === 'matched' && answer.copy.condition === 'lightly_played');
    const graded = await resolveOne('Pokemon Pikachu 062/198 CGC 9.5');
    assert.ok(graded.status === 'matched' && graded.copy.grade === 'cgc_9_5');
  });

  it('is less certain the more words are unexplained', async () => {
    const [plain, noisy] = await Promise.all([
      resolveOne('Charizard 4/102 Base Set'),
      resolveOne('Charizard 4/102 Base Set zorg blah'),
    ]);
    assert.ok(plain.status === 'matched' && noisy.status === 'matched');
    assert.ok(noisy.confidence < plain.confidence);
  });
});

describe('a title that means no card of the catalogue', () => {
  it('has a name that is not the card of its number', async () => {
    assert.match(await told('Pokemon Dark Charizard 4/102'), /^unknown/);
    assert.match(await told('MTG Lightning Bolt #150 Magic 2011'), /^unknown/);
  });

  it('has a second number with a code, of another card', async () => {
    assert.match(await told('MTG Lightning Bolt 149 Magic 2011 LOB-EN005'), /^unknown/);
  });

  it('names a set that the card is not in', async () => {
    assert.match(await told('Pokemon Pikachu 62/198 Team Rocket'), /^unknown/);
  });

  it('names another set by words that may mean something else', async () => {
    for (const title of [
      'Shivan Dragon Magic 2010',
      'Shivan Dragon Alpha',
      'Raichu WoTC Promo 14/198',
      'Lumineon V Platinum 40/195',
    ]) {
      assert.doesNotMatch(await told(title), /^1 /, title);
    }
  });

  it('has a longer name than the card of its number', async () => {
    for (const title of [
      'Gengar ex 13/165',
      'Gengar ex 13/165 Expedition',
      'Raichu V 14/198',
      'Pikachu V 62/198',
      'Raichu V 14/198 Scarlet & Violet Base Set',
      'Elsa - Spirit of Winter First Chapter 41',
      'Elsa - Spirit of Winter 41/204',
      'Luster Dragon #2 LOB-EN002',
    ]) {
      assert.doesNotMatch(await told(title), /^1 /, title);
    }
  });

  it('has a number but no full name; the cards with the number are candidates', async () => {
    for (const [title, status] of [
      ['LOB-EN005', 'ambiguous'],
      ['Magier LOB-EN005', 'unknown'],
      ['Feuerdrache 4/102', 'unknown'],
    ]) {
      const answer = await resolveOne(title ?? '');
      assert.ok(answer.status !== 'matched');
      assert.equal(answer.status, status, title);
      assert.ok(answer.candidates.length > 0, title);
    }
  });

  it('has a second number, of a set that it names', async () => {
    assert.doesNotMatch(await told('Dark Magician 1 RA01-EN108'), /^1 /);
  });

  it('has a name that lacks the number in the name of a card', async () => {
    assert.match(await told('Baby Go OP06-112'), /^unknown/);
    assert.match(await told('Baby 5 OP06-112'), /^1 Baby 5/);
  });

  it('has a name that two cards have in other spellings', async () => {
    assert.doesNotMatch(await told('Hero Flash!!'), /^1 H.E.R.O./);
    assert.match(await told('Hero Flash!! LOB-EN111'), /^1 Hero Flash!!/);
  });

  it('may mean a variant that costs many times more', async () => {
    assert.match(await told('Lugia V Silver Tempest PSA 10'), /^ambiguous: A variant of it costs/);
    assert.match(await told('Lugia V Silver Tempest 138 PSA 10'), /^1 Lugia V, SWSH12 138/);
    assert.match(await told('Sheoldred the Apocalypse Dominaria United'), /^1 Sheoldred/);
  });

  it('names a card only in the name of its set', async () => {
    assert.match(await told('Salvage Shot Azalea Blitz Deck AZL001'), /^ambiguous|^unknown/);
    assert.match(await told('Azalea Blitz Deck'), /^ambiguous|^unknown/);
    assert.equal(await told('Azalea Azalea Blitz Deck AZL001'), '1 Azalea, AZL AZL001, Normal');
  });

  it('means a product, several cards, or a card that was not printed', async () => {
    for (const title of [
      'Pokemon Base Set Booster Box Charizard',
      'Charizard 4/102 deck box',
      'Lot of 10 Charizard Base Set',
      'Charizard 4/102 proxy',
      'custom Charizard 4/102 Base Set orica',
    ]) {
      assert.match(await told(title), /^unknown: The text is of /, title);
    }
  });

  it('means another game', async () => {
    assert.match(await told('Pokemon Lightning Bolt 149'), /^unknown/);
  });

  it('is ambiguous if left-over words may mean another card', async () => {
    assert.match(await told('Shivan Dragon zorg'), /^ambiguous: Nothing explains zorg/);
  });
});
