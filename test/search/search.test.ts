import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  indexOf,
  indexOfNames,
  makeCard,
  namesFound,
  numbersFound,
  query,
} from './search-cards.ts';

describe('searching by name', () => {
  const index = indexOfNames(
    'Charizard',
    'Dark Charizard',
    "Farfetch'd",
    'Mist Valley Baby Roc',
    'D/D/D Doom King Armageddon',
    'Misty & Lorelei',
    'Bala Ged Recovery // Bala Ged Sanctuary',
    'Patriarch’s Bidding',
    'Lightning Bolt',
  );
  const finds = (q: string, ...names: string[]) =>
    assert.deepEqual(namesFound(index, q), names, `for ${JSON.stringify(q)}`);

  it('finds words in any order, and with words left out', () => {
    finds('king doom d/d/d', 'D/D/D Doom King Armageddon');
    finds('roc mist', 'Mist Valley Baby Roc');
  });

  it('finds a word by its prefix', () => finds('mist val', 'Mist Valley Baby Roc'));

  it('finds words run together (compounds), finished or not', () => {
    finds('mistvalleybabyroc', 'Mist Valley Baby Roc');
    finds('mistvalleyba', 'Mist Valley Baby Roc');
    finds('valleybaby', 'Mist Valley Baby Roc');
  });

  it('finds words run together up to 80 letters', () => {
    const words = ['a'.repeat(40), 'b'.repeat(20), 'c'.repeat(20)];
    const run = words.join('');
    assert.equal(namesFound(indexOfNames(words.join(' ')), run).length, 1);
    assert.deepEqual(namesFound(indexOfNames(`${words.join(' ')}d`), `${run}d`), []);
  });

  it('finds a word that was typed as two', () => {
    finds('char izard', 'Charizard', 'Dark Charizard');
    finds('arma geddon', 'D/D/D Doom King Armageddon');
    finds('arma gedd', 'D/D/D Doom King Armageddon');
    const index = indexOfNames('Charizard', 'Charizard ex', 'Dark Charizard', 'Dark Charizardite');
    assert.deepEqual(namesFound(index, 'dark char izard'), ['Dark Charizard']);
  });

  it('keeps two words apart if a name has both', () => {
    const index = indexOfNames('Fireball', 'Fire Ball');
    assert.deepEqual(namesFound(index, 'fire ball'), ['Fire Ball']);
    assert.equal(namesFound(index, 'fireball').length, 2);
  });

  it('finds initials, written apart or together', () => {
    for (const q of ['d/d/d', 'DDD', 'd.d.d.', 'd d d doom'])
      finds(q, 'D/D/D Doom King Armageddon');
  });

  it('reads & as and, also as an HTML entity', () => {
    for (const q of ['misty & lorelei', 'misty and lorelei', 'misty &amp; lorelei']) {
      finds(q, 'Misty & Lorelei');
    }
  });

  it('ignores the kind of quotes', () => {
    finds("patriarch's bidding", 'Patriarch’s Bidding');
    finds('farfetch’d', "Farfetch'd");
  });

  it('finds a two-faced card by either face', () => {
    finds('bala ged sanctuary', 'Bala Ged Recovery // Bala Ged Sanctuary');
    finds('bala ged recovery', 'Bala Ged Recovery // Bala Ged Sanctuary');
  });

  it('finds a clear name among unexplained words', () => {
    finds('charizard qwzx', 'Charizard', 'Dark Charizard');
    assert.deepEqual(index.search(query('charizard qwzx')).understood?.ignored, ['qwzx']);
  });

  it('finds nothing for punctuation, emoji or control characters', () => {
    for (const q of ['!?*', '😀', '\u0000\u0001', '\ud800', '()[]', '%_']) finds(q);
  });
});

describe('correcting spellings', () => {
  const index = indexOfNames('Onix', 'Gengar', 'Lightning Bolt', 'Archangel of Wrath', 'Angel');

  it('allows one edit in words of 4 to 7 letters, also in the first letter, also a swap', () => {
    for (const q of ['gengr', 'gemgar', 'gengart', 'egngar', 'hengar', 'onx', 'onyx']) {
      assert.equal(namesFound(index, q).length, 1, q);
    }
    for (const q of ['gngr', 'gemgat', 'oyx']) assert.deepEqual(namesFound(index, q), [], q);
  });

  it('allows two edits in words of 8 letters and more', () => {
    for (const q of ['lihgtnign', 'ligtnin', 'kightningg', 'archanlg']) {
      assert.equal(namesFound(index, q).length, 1, q);
    }
    assert.deepEqual(namesFound(index, 'litnin'), []);
    assert.deepEqual(namesFound(indexOfNames('Pidgeott', 'Pidgeot'), 'pibgoett'), ['Pidgeott']);
    assert.deepEqual(namesFound(indexOfNames('Pidgeot'), 'pibgoet'), []);
  });

  it('never corrects a word that is a name as typed', () => {
    assert.deepEqual(namesFound(indexOfNames('Angel', 'Anger'), 'angel'), ['Angel']);
  });

  it('corrects a word that is or begins another to a name, behind those that have it', () => {
    const index = indexOfNames('Silver Sheller', 'Shellder', 'Shelleroid', 'Shelleroids');
    assert.deepEqual(namesFound(index, 'sheller'), [
      'Silver Sheller',
      'Shelleroid',
      'Shelleroids',
      'Shellder',
    ]);
    const goth = indexOfNames('Gothita', 'Gothitelle');
    assert.deepEqual(namesFound(goth, 'gothite'), ['Gothita', 'Gothitelle']);
    assert.deepEqual(namesFound(goth, 'gothit'), ['Gothita', 'Gothitelle']);
    assert.deepEqual(namesFound(indexOfNames('Gothita', 'Gothite Ore'), 'gothite'), [
      'Gothite Ore',
      'Gothita',
    ]);
  });

  it('corrects words that are names as typed when the other words speak for it', () => {
    const index = indexOfNames('Lightning Bolt', 'Blot Out');
    assert.deepEqual(namesFound(index, 'lightnig blot'), ['Lightning Bolt']);
  });

  it('puts the nearest spelling first', () => {
    const index = indexOfNames('Transformer', 'Transformed');
    assert.deepEqual(namesFound(index, 'transformd'), ['Transformed', 'Transformer']);
  });

  it('never corrects a number', () => {
    const index = indexOf([makeCard({ name: 'Model 1234567', number: '1234' })]);
    assert.deepEqual(namesFound(index, '1235'), []);
    assert.deepEqual(namesFound(index, '1234568'), []);
  });
});

describe('searching in Japanese', () => {
  const index = indexOfNames(
    'ふしぎなアメ',
    'ピカチュウ',
    'ピカチュウVMAX',
    'ニドラン♀',
    'ボスの指令',
  );
  const finds = (q: string, ...names: string[]) => assert.deepEqual(namesFound(index, q), names, q);

  it('finds a name by a prefix and by an infix', () => {
    finds('ふしぎ', 'ふしぎなアメ');
    finds('アメ', 'ふしぎなアメ');
    finds('指令', 'ボスの指令');
  });

  it('reads hiragana as katakana, and half width as full width', () => {
    finds('ぴかちゅうVMAX', 'ピカチュウVMAX');
    finds('ﾋﾟｶﾁｭｳ', 'ピカチュウ', 'ピカチュウVMAX');
    finds('フシギナあめ', 'ふしぎなアメ');
  });

  it('reads a long vowel mark as the vowel', () =>
    finds('ピカチュー', 'ピカチュウ', 'ピカチュウVMAX'));

  it('corrects a wrong kana', () => finds('ピカチャウ', 'ピカチュウ', 'ピカチュウVMAX'));
});

describe('searching by number and code', () => {
  const promos = { rowId: 2, code: 'SWSD', name: 'SWSH: Sword & Shield Promo Cards' };
  const romance = { rowId: 3, game: 'onepiece', code: 'OP-01', name: 'ROMANCE DAWN' } as const;
  const legend = { rowId: 4, game: 'yugioh', code: 'LOB', name: 'Legend of Blue Eyes' } as const;
  const heavy = { rowId: 5, game: 'fab', code: 'HVY', name: 'Heavy Hitters' } as const;
  const index = indexOf([
    makeCard({ name: 'Charizard', number: '004/102' }),
    makeCard({ name: 'Charizard', number: '44/130' }),
    makeCard({ name: 'Weedle', number: '74/110' }),
    makeCard({ name: 'Weedle', number: '74a/110' }),
    makeCard({ name: 'Orbeetle V', number: 'TG12/TG30' }),
    makeCard({ name: 'Eevee', number: 'TG01/TG30' }),
    makeCard({ name: 'Time Stop', number: '117★' }),
    makeCard({ name: 'Lightning Storm', number: '117' }),
    makeCard({ name: 'Unown', number: 'A/28' }),
    makeCard({ name: 'Pikachu', number: 'SWSH039', set: promos }),
    makeCard({ name: 'Roronoa Zoro', number: 'OP01-025', set: romance }),
    makeCard({ name: 'Enel', number: 'OP10-025', set: { ...romance, rowId: 6, code: 'OP-10' } }),
    makeCard({ name: 'Dark Magician', number: 'LOB-EN005', set: legend }),
    makeCard({ name: 'Pack Hunt', number: 'HVY033', set: heavy }),
    makeCard({ name: 'Yamato', number: 'P-088', set: { ...romance, rowId: 7, code: 'P' } }),
  ]);
  const finds = (q: string, ...numbers: string[]) =>
    assert.deepEqual(numbersFound(index, q), numbers, `for ${JSON.stringify(q)}`);

  it('reads 4, 004 and 4/102 as one number', () => {
    for (const q of ['charizard 4', 'charizard 004', 'charizard 4/102', 'Charizard #4', '4/102']) {
      finds(q, '004/102');
    }
  });

  it('distinguishes 74 from 74a, 1 from TG01, 117 from 117★', () => {
    finds('weedle 74', '74/110');
    finds('weedle 74a', '74a/110');
    assert.deepEqual(index.search(query('eevee 1')).understood?.ignored, ['1']);
    finds('eevee tg01', 'TG01/TG30');
    finds('117', '117');
    finds('117★', '117★');
  });

  it('finds a number without its total, and ranks another total last', () => {
    finds('TG12', 'TG12/TG30');
    finds('unown a', 'A/28');
    const two = indexOf([
      makeCard({ name: 'Abra', number: '4/130', price: 900 }),
      makeCard({ name: 'Abra', number: '4/102', price: 100 }),
    ]);
    assert.deepEqual(numbersFound(two, 'abra 4/102'), ['4/102', '4/130']);
  });

  it('finds a code and number with a hyphen, a space or nothing between', () => {
    for (const q of ['OP01-025', 'op01 025', 'op01025', 'op1-25', 'zoro op01'])
      finds(q, 'OP01-025');
    for (const q of ['LOB-EN005', 'lob 5', 'LOB-005', 'lob en005']) finds(q, 'LOB-EN005');
    for (const q of ['HVY033', 'hvy 33', 'pack hunt 033']) finds(q, 'HVY033');
    for (const q of ['P-088', 'p088', 'p 88']) finds(q, 'P-088');
    for (const q of ['SWSH039', 'swsh 39', 'swsh39']) finds(q, 'SWSH039');
  });

  it('finds the code of a set next to a name or a number', () => {
    finds('charizard bs', '004/102', '44/130');
    finds('BS 4', '004/102');
    finds('OP-01', 'OP01-025');
    assert.deepEqual(index.search(query('bs zoro')).understood?.ignored, ['bs']);
  });
});

describe('looking up a number in sets', () => {
  const index = indexOf([
    makeCard({ name: 'Unown', number: 'A/28' }),
    makeCard({ name: 'Pikachu', number: 'SWSH025' }),
    makeCard({ name: 'Raichu', number: '26/102' }),
  ]);
  const namesAt = (number: string) =>
    index.lookup.numberedIn(number, index.sets).map(({ name }) => name);

  it('compares only the last digits, and finds nothing without digits', () => {
    assert.deepEqual(namesAt('25'), ['Pikachu']);
    assert.deepEqual(namesAt('OP01-026'), ['Raichu']);
    assert.deepEqual(namesAt('A'), []);
  });
});

describe('the filter set', () => {
  const promos = { rowId: 2, id: 'pokemon-promos', code: 'PR', name: 'Promos' };
  const twins = { rowId: 3, id: 'pokemon-promos--1528', code: 'PR', name: 'Jumbo Promos' };
  const misleading = { rowId: 4, id: 'mtg-pr', code: 'pokemon-promos', name: 'Pokémon Base-Set' };
  const index = indexOf([
    makeCard({ name: 'Mew' }),
    makeCard({ name: 'Mew', set: promos, number: '1' }),
    makeCard({ name: 'Mew', set: twins, number: '2' }),
    makeCard({ name: 'Mew', set: misleading, number: '3' }),
  ]);
  const numbersOf = (set: string) =>
    index.search(query('mew', { set, sort: 'number' })).cards.map(({ number }) => number);

  it('prefers a setId to any code or name', () => {
    assert.deepEqual(numbersOf('pokemon-promos'), ['1']);
    assert.deepEqual(numbersOf(' Pokemon-Promos'), ['1']);
    assert.deepEqual(numbersOf('pokemon-promos--1528'), ['2']);
  });

  it('means all sets that share a code', () => {
    assert.deepEqual(numbersOf('pr'), ['1', '2']);
  });

  it('reads a setId without punctuation if no set has this code or name', () => {
    assert.deepEqual(numbersOf('pokemon base set'), ['3'], 'a name');
    assert.deepEqual(numbersOf('Pokémon Promos 1528'), ['2']);
  });
});

describe('filters', () => {
  const destined = { rowId: 7, code: 'DRI', name: 'SV10: Destined Rivals' };
  const unlimited = { rowId: 8, game: 'mtg', code: '2ED', name: 'Unlimited Edition' } as const;
  const index = indexOf([
    makeCard({ name: 'Mewtwo', rarity: 'Holo Rare' }),
    makeCard({ name: "Team Rocket's Mewtwo", rarity: 'Rare', set: destined }),
    makeCard({ name: 'Mew Jet', rarity: 'Rare', set: unlimited }),
  ]);
  const finds = (rest: Parameters<typeof query>[1], ...names: string[]) =>
    assert.deepEqual(namesFound(index, 'mew', rest).sort(), names);
  const ROCKET = "Team Rocket's Mewtwo";

  it('accept one game', () => finds({ game: 'mtg' }, 'Mew Jet'));

  it('accept a set by code, by name and by name without its leading code', () => {
    for (const set of ['dri', 'SV10: Destined Rivals', 'destined rivals', 'Destined-Rivals']) {
      finds({ set }, ROCKET);
    }
  });

  it('accept a renamed set by its new name, and no longer by its old one', () => {
    const card = makeCard({ name: 'Mewtwo', set: { rowId: 3, code: 'FO', name: 'Fosil' } });
    const renamed = { ...card, set: { ...card.set, name: 'Fossil' } };
    const others = indexOf([card]);
    others.add(renamed);
    assert.deepEqual(namesFound(others, 'mew', { set: 'fosil' }), ['Mewtwo']);
    others.commit();
    assert.deepEqual(namesFound(others, 'mew', { set: 'fosil' }), []);
    for (const set of ['fossil', 'fo']) {
      assert.deepEqual(namesFound(others, 'mew', { set }), ['Mewtwo']);
    }
  });

  it('accept a rarity in any spelling, but not a part of it', () => {
    finds({ rarity: 'holo-rare' }, 'Mewtwo');
    finds({ rarity: 'RARE' }, 'Mew Jet', ROCKET);
  });

  it('match no card when no set, rarity or game fits', () => {
    finds({ set: 'Jungle' });
    finds({ rarity: 'Secret' });
    finds({ game: 'mtg', set: 'DRI' });
  });
});

describe('a suggestion', () => {
  const index = indexOfNames('Charizard', 'Blastoise', 'Pikachu', 'Dialga');
  const suggested = (q: string) => index.search(query(q)).suggestion;

  it('is the most similar name when nothing matches', () => {
    assert.equal(suggested('pickachew'), 'Pikachu');
    assert.equal(suggested('dialkha'), 'Dialga');
  });

  it('is absent when something matches, or when no name is similar', () => {
    assert.equal(suggested('pikachu'), undefined);
    assert.equal(suggested('xyzzy'), undefined);
    assert.equal(suggested('?!'), undefined);
  });

  it('has at most three other letters, however long the name is', () => {
    const long = indexOfNames('Antidisestablishmentarianism');
    const suggestedFor = (q: string) => long.search(query(q)).suggestion;
    assert.equal(suggestedFor('antidisestablishmentarxxxism'), 'Antidisestablishmentarianism');
    assert.equal(suggestedFor('antidisestablishmentarxxxxsm'), undefined);
  });

  it('is a name that would match under the same filters', () => {
    assert.equal(index.search(query('pickachew', { game: 'mtg' })).suggestion, undefined);
  });
});

describe('autocomplete', () => {
  it('returns each name once and without variants, best first', () => {
    const index = indexOf([
      makeCard({ name: 'Pack Hunt (Red)' }),
      makeCard({ name: 'Pack Hunt (Yellow)' }),
      makeCard({ name: 'Pack Hunter', price: 500 }),
      makeCard({ name: 'Wolf Pack' }),
    ]);
    const names = (q: string, limit = 10) => index.autocomplete({ q, limit });
    assert.deepEqual(names('pack hun'), ['Pack Hunter', 'Pack Hunt']);
    assert.deepEqual(names('pack'), ['Pack Hunter', 'Pack Hunt', 'Wolf Pack']);
    assert.deepEqual(names('pack', 1), ['Pack Hunter']);
    assert.deepEqual(names('!'), []);
  });

  it('returns only names of the given game', () => {
    const set = { rowId: 9, game: 'mtg' } as const;
    const index = indexOf([makeCard({ name: 'Sol Ring', set }), makeCard({ name: 'Solrock' })]);
    assert.deepEqual(index.autocomplete({ q: 'sol', game: 'mtg', limit: 5 }), ['Sol Ring']);
  });
});
