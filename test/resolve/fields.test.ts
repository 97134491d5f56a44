import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cardOf, resolveOne, told } from './resolve-cards.ts';

const BOLT = 'Lightning Bolt';

describe('a description', () => {
  it('is matched by set, number and name, with any name of the set', async () => {
    for (const set of ['Magic 2011', '2011 Core Set', 'Core Set 2011', 'M11', 'mtg-m11']) {
      const field = set === 'mtg-m11' ? { setId: set } : { set };
      const answer = await told({ name: BOLT, number: '149', ...field });
      assert.equal(answer, '1 Lightning Bolt, M11 149, Normal', set);
    }
  });

  it('is matched by numbers in all their forms', async () => {
    for (const number of ['4', '004', '#4', 'no. 4', '4/102', '004 / 102']) {
      const answer = await told({ name: 'Charizard', set: 'Base Set', number });
      assert.equal(answer, '1 Charizard, BS 004/102, Unlimited Holofoil', number);
    }
  });

  it('is matched by a number without its language, but not without its other letters', async () => {
    const magician = { name: 'Dark Magician' };
    assert.match(await told({ ...magician, number: 'LOB-005' }), /LOB LOB-EN005/);
    assert.match(await told({ ...magician, number: 'LOB-END05' }), /^unknown/);
  });

  it('is ambiguous when a name is in several sets and nothing decides', async () => {
    const answer = await resolveOne({ name: BOLT });
    assert.equal(answer.status, 'ambiguous');
    assert.deepEqual(answer.reasons, ['It is in 2 sets: give the set or the number.']);
    assert.equal(answer.candidates.length, 2);
  });

  it('is unknown if the number belongs to another card of the set', async () => {
    const answer = await resolveOne({ name: BOLT, setCode: 'M11', number: '150' });
    assert.equal(answer.status, 'unknown');
    const [nearest] = answer.candidates;
    assert.equal(nearest?.card, cardOf(BOLT, '149'));
    assert.deepEqual(nearest?.reasons, ['Its number is 149, and the item says 150.']);
  });

  it('is unknown with a different total', async () => {
    assert.match(await told({ name: 'Charizard', set: 'Base Set', number: '4/130' }), /^unknown/);
  });

  it('is unknown with an unknown set or an unknown name', async () => {
    assert.equal(await told({ name: BOLT, set: 'Zorg' }), 'unknown: No set Zorg is known.');
    assert.equal(await told({ name: 'Nobody' }), 'unknown: No card Nobody is known.');
  });

  it('is of the Japanese game when its language is Japanese', async () => {
    const snorlax = { name: 'Snorlax', number: '143', game: 'pokemon' } as const;
    assert.match(await told(snorlax), /^unknown/);
    for (const language of ['Japanese', 'JP', ' ja ', '日本語']) {
      assert.equal(await told({ ...snorlax, language }), '1 Snorlax, SV2a 143/165, Normal');
    }
  });

  it('is unknown in another game', async () => {
    assert.match(await told({ name: BOLT, game: 'pokemon', number: '149' }), /^unknown/);
  });

  it('is corrected only with its set and number', async () => {
    const placed = { name: 'Lightnig Blot', setCode: 'M11', number: '149' };
    assert.equal(await told(placed), '1 Lightning Bolt, M11 149, Normal');
    assert.match(await told({ name: 'Lightnig Blot' }), /^ambiguous/);
    const answer = await resolveOne({ name: 'Lightnig Blot' });
    assert.ok(answer.status === 'ambiguous');
    assert.deepEqual(
      answer.candidates.map(({ reasons }) => reasons[0]),
      Array(2).fill('Lightnig Blot is Lightning Bolt but for a few letters.'),
    );
    assert.match(await told({ name: 'Lightnig Blot', game: 'pokemon' }), /^unknown/);
    const coded = { name: 'Dark Magicain', number: 'LOB-005' };
    assert.match(await told(coded), /^1 Dark Magician, LOB LOB-EN005/);
  });

  it('is not corrected to another card when the name is right', async () => {
    assert.match(await told({ name: 'Nidoran M', set: 'Base Set', number: '55' }), /^unknown/);
  });

  it('without a variant means the plain card of the set', async () => {
    const item = { name: 'Sheoldred, the Apocalypse', set: 'Dominaria United' };
    assert.match(await told(item), /DMU 107/);
    assert.match(await told({ ...item, printing: 'Showcase Foil' }), /DMU 295, Foil/);
    assert.match(await told({ ...item, printing: 'Etched Foil' }), /^unknown/);
  });

  it('with a number that reprint sets repeat means the card of the original set', async () => {
    const zoro = { name: 'Roronoa Zoro', number: 'OP06-118' };
    assert.match(await told(zoro), /^1 Roronoa Zoro, OP-06/);
    assert.match(await told({ ...zoro, name: 'Roronoa Zoro (Parallel)' }), /\(Parallel\), OP-06/);
    assert.match(await told({ ...zoro, setCode: 'PRB-01' }), /\(Reprint\), PRB-01/);
  });

  it('needs the rarity if each rarity is a separate card', async () => {
    const item = { name: 'Dark Magician', number: 'RA01-EN001' };
    assert.equal(await told(item), 'ambiguous: It exists in 2 rarities: give the rarity.');
    const answer = await resolveOne({ ...item, rarity: 'Secret Rare' });
    assert.ok(answer.status === 'matched' && answer.card.rarity === 'Secret Rare');
  });

  it('is contradicted by its rarity only if each rarity is a separate card', async () => {
    const magician = { name: 'Dark Magician', number: 'LOB-EN005' };
    assert.match(await told({ ...magician, rarity: 'Secret Rare' }), /^unknown/);
    for (const rarity of ['Ultra Rare', 'RARE']) {
      assert.match(await told({ ...magician, rarity }), /^1 Dark Magician, LOB/, rarity);
    }
    assert.match(await told({ name: BOLT, number: '149', rarity: 'Mythic' }), /M11 149/);
  });

  it('never means an oversized card unless it says so', async () => {
    assert.match(await told({ name: 'Charizard', set: 'Base Set' }), /BS 004/);
    assert.match(await told({ name: 'Charizard (Jumbo)', number: '4/102' }), /\(Jumbo\), PR/);
  });

  it('of a first edition of Base Set means the cards without a shadow', async () => {
    const item = { name: 'Charizard', set: 'Base Set', printing: '1st Edition' };
    assert.equal(await told(item), '1 Charizard, BSS 004/102, 1st Edition Holofoil');
    // Machamp is in both sets as a first edition.
    const machamp = { name: 'Machamp', set: 'Base Set', printing: '1st Edition' };
    assert.equal(await told(machamp), '1 Machamp, BS 008/102, 1st Edition Holofoil');
  });

  it("is ambiguous if the printing fits none or several of the card's", async () => {
    const shivan = { name: 'Shivan Dragon', set: 'M11' };
    assert.match(
      await told({ ...shivan, printing: 'Reverse Holofoil' }),
      /^ambiguous: Its printings/,
    );
    assert.match(await told({ ...shivan, printing: 'foil' }), /, Foil$/);
    assert.match(await told({ ...shivan, condition: 'Near Mint Foil' }), /, Foil$/);
  });

  it('is contradicted by its year, and by a language that nobody knows', async () => {
    const item = { name: 'Lumineon V', number: '40' };
    assert.match(await told({ ...item, year: 2022 }), /^1 Lumineon V/);
    assert.match(await told({ ...item, year: 2010 }), /^unknown/);
    assert.match(await told({ ...item, language: 'Klingon' }), /^unknown/);
  });

  it('does not match with a total that no card of the set has', async () => {
    const mickey = 'Mickey Mouse - Brave Little Tailor';
    assert.match(await told({ name: mickey, number: '1' }), /^1 Mickey Mouse/);
    assert.match(await told({ name: mickey, number: '1/204' }), /^unknown/);
    assert.match(await told(`${mickey} 1/204`), /^unknown/);
    assert.match(await told({ name: 'Basic Grass Energy', number: '1/198' }), /^1 Basic Grass/);
    assert.match(await told({ name: BOLT, number: '149/249' }), /M11 149/);
  });

  it('may have in its name a word that is also a set', async () => {
    const answer = await told({ name: 'Gyarados (Delta Species)', number: '8/127' });
    assert.equal(answer, '1 Gyarados (Delta Species), PL 008/127, Holofoil');
  });

  it('is not matched by a short name alone', async () => {
    assert.match(await told('Ash'), /^ambiguous: Ash alone/i);
    assert.match(await told({ name: 'Ash', game: 'fab' }), /^1 Ash, AZL AZL030/);
  });

  it('is not matched by one face of a card alone', async () => {
    assert.match(await told('Fire'), /^ambiguous: Fire is only a part of Fire \/\/ Ice/i);
    assert.match(await told({ name: 'Ice' }), /^ambiguous/);
    assert.match(await told({ name: 'Fire', set: 'Apocalypse' }), /^1 Fire/);
  });

  it('needs a name', async () => {
    const answer = await told({ setCode: 'M11', number: '149' });
    assert.equal(answer, 'ambiguous: The item gives no name that confirms the card.');
    assert.match(await told({ setCode: 'M11' }), /^unknown: The item gives neither/);
  });

  it('returns condition and grade as the catalogue names them', async () => {
    const answer = await resolveOne({
      name: 'Shivan Dragon',
      condition: 'EX',
      grade: 'psa 10',
      quantity: 3,
    });
    assert.ok(answer.status === 'matched');
    const { copy, quantity } = answer;
    assert.deepEqual(copy, { condition: 'lightly_played', grade: 'psa_10' });
    assert.equal(quantity, 3);
  });

  it('returns no condition for a text that means none', async () => {
    for (const text of ['sealed', 'constructor']) {
      const answer = await resolveOne({ name: 'Shivan Dragon', condition: text });
      assert.ok(answer.status === 'matched');
      assert.equal(answer.copy.condition, null, text);
      assert.match(answer.copy.unclear ?? '', /is not one condition/);
    }
  });
});

describe('an external id', () => {
  it('is enough alone', async () => {
    const answer = await resolveOne({ ids: { tcgplayer: '42382' } });
    assert.ok(answer.status === 'matched');
    assert.equal(answer.card, cardOf('Charizard', '004/102'));
    assert.equal(answer.confidence, 0.97);
  });

  it('never wins over a name that contradicts it', async () => {
    const answer = await resolveOne({ ids: { tcgplayer: '42382' }, name: 'Shivan Dragon' });
    assert.equal(answer.status, 'ambiguous');
    const names = answer.candidates.map(({ card }) => card.name);
    assert.deepEqual(names.toSorted(), ['Charizard', 'Shivan Dragon']);
  });

  it('that several cards share is decided by the rest of the item', async () => {
    const shared = { ids: { cardmarket: '7' }, name: BOLT };
    assert.match(await told(shared), /^ambiguous/);
    assert.match(await told({ ...shared, set: 'Magic 2010' }), /M10 146/);
  });

  it('that is unknown leaves the decision to the rest of the item', async () => {
    assert.match(await told({ ids: { tcgplayer: '1' }, name: 'Shivan Dragon' }), /M11 150/);
    assert.match(await told({ ids: { tcgplayer: '1' } }), /^unknown/);
  });
});
