import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import pokemon from 'pokemon';
import { speciesTable } from '../../scripts/species.ts';
import { foldWords } from '../../src/domain/text.ts';
import { fromRomaji, translate } from '../../src/search/translations/index.ts';
import { soundOf } from '../../src/search/translations/romaji.ts';

const LANGUAGES = ['en', 'ja', 'de', 'es', 'fr', 'ko', 'ru', 'th', 'zh-Hans', 'zh-Hant'] as const;

function speciesOf(name: string): string | undefined {
  return translate(foldWords(name), 0)?.species;
}

function othersOf(name: string): string[] | undefined {
  return translate(foldWords(name), 0)?.others.map((words) => words.join(' '));
}

describe('species in other languages', () => {
  it('come from the package of their names', () => {
    const file = new URL('../../data/words/species.tsv', import.meta.url);
    const hint = 'run node scripts/species.ts';
    assert.equal(readFileSync(file, 'utf8'), speciesTable(), hint);
  });

  it('are all found by their English and Japanese names', () => {
    const english = pokemon.all();
    assert.ok(english.length >= 1025);
    for (const [index, name] of english.entries()) {
      assert.equal(speciesOf(name), name);
      assert.equal(speciesOf(pokemon.all('ja')[index] ?? ''), name);
    }
  });

  it('are found by their names in nine more languages, unless two species share the name', () => {
    for (const language of LANGUAGES) {
      const names = pokemon.all(language);
      const found = names.filter((name, index) => speciesOf(name) === pokemon.all()[index]);
      assert.ok(found.length >= names.length - 20, `${language}: ${found.length}`);
    }
  });

  it('have all other names for the English one', () => {
    const others = othersOf('Charizard') ?? [];
    for (const name of ['リザードン', 'Glurak', 'Dracaufeu', '리자몽', '喷火龙']) {
      assert.ok(others.includes(foldWords(name).join(' ')), name);
    }
    assert.ok(!others.includes('charizard'));
  });

  it('have the English and Japanese names for all others', () => {
    assert.deepEqual(othersOf('Glurak'), ['charizard', 'リザアドン']);
    assert.deepEqual(othersOf('リザードン'), ['charizard']);
  });

  it('have the Japanese name first for Japanese in Latin letters', () => {
    for (const name of ['rizaadon', 'rizadon', 'Rizādon', 'riza-don', 'Lizardon']) {
      assert.deepEqual(othersOf(name), ['リザアドン', 'charizard'], name);
    }
  });

  it('may have names of several words, and the longest wins', () => {
    assert.equal(translate(foldWords('Mr. Mime 122'), 0)?.to, 2);
    assert.equal(speciesOf('Tapu Koko GX'), 'Tapu Koko');
    assert.equal(speciesOf('Type: Null'), 'Type: Null');
    assert.equal(speciesOf('Porygon2'), 'Porygon2');
    assert.equal(speciesOf('Iron Valiant ex'), 'Iron Valiant');
    assert.equal(speciesOf('Nidoran♀'), 'Nidoran♀');
  });

  it('begin at the requested word', () => {
    const words = foldWords('my mr mime ex');
    assert.equal(translate(words, 0), undefined);
    assert.deepEqual(pick(translate(words, 1)), { to: 3, species: 'Mr. Mime' });
    assert.equal(translate(words, 2), undefined);
    assert.equal(translate(words, 4), undefined);
  });

  it('are not found in words of other cards', () => {
    for (const name of ['Fire', 'Sand', 'Ghost', 'Spectrum', 'Draco', 'Metamorph', 'Thunder']) {
      assert.equal(speciesOf(name), undefined, name);
      assert.equal(fromRomaji(name.toLowerCase()), undefined, name);
    }
  });
});

describe('species with a form or an owner', () => {
  it('have Japanese names as one word and as two', () => {
    assert.deepEqual(othersOf('Alolan Vulpix'), ['アロウラロコン', 'アロウラ ロコン']);
    assert.deepEqual(othersOf("Misty's Starmie"), ['カスミノスタアミイ', 'カスミノ スタアミイ']);
    assert.deepEqual(othersOf("N's Zoroark ex"), ['n ノゾロアアク', 'n ノ ゾロアアク']);
  });

  it('have an English name for both', () => {
    assert.deepEqual(othersOf('アローラロコン'), ['alolan vulpix', 'アロウラ ロコン']);
    assert.deepEqual(othersOf('アローラ ロコン'), ['alolan vulpix', 'アロウラロコン']);
    assert.deepEqual(othersOf('メガリザードンX'), ['mega charizard', 'メガ リザアドン']);
    assert.deepEqual(othersOf('R団のミュウツー'), ['rockets mewtwo', 'r 団ノ ミュウツウ']);
    assert.deepEqual(othersOf('Nのゾロアーク'), ['ns zoroark', 'n ノ ゾロアアク']);
  });

  it('may mix English with other languages', () => {
    const names = ['alolan vulpix', 'アロウラロコン', 'アロウラ ロコン'];
    assert.deepEqual(othersOf('alolan rokon'), names);
    assert.deepEqual(othersOf('Alolan Vulnona')?.[0], 'alolan ninetales');
  });

  it('end after the species', () => {
    const words = foldWords("shiny Team Rocket's Mewtwo ex");
    assert.deepEqual(pick(translate(words, 1)), { to: 4, species: 'Mewtwo' });
    const japanese = foldWords('ロケット団のミュウツー ex');
    assert.deepEqual(pick(translate(japanese, 0)), { to: 1, species: 'Mewtwo' });
    const apart = foldWords('ガラル バリヤード');
    assert.deepEqual(pick(translate(apart, 0)), { to: 2, species: 'Mr. Mime' });
  });

  it('are not found without a species', () => {
    for (const name of ['Mega Evolution', 'メガ', 'Dark Magician', 'アローラ', "N's Castle", 'n']) {
      assert.equal(speciesOf(name), undefined, name);
    }
  });
});

describe('romanised species', () => {
  it('are found by their sound', () => {
    const spellings = [
      ['rizardon', 'Charizard'],
      ['lizaadon', 'Charizard'],
      ['pikachuu', 'Pikachu'],
      ['kairyu', 'Dragonite'],
      ['kamekkus', 'Blastoise'],
      ['rekkuza', 'Rayquaza'],
      ['gekoga', 'Greninja'],
      ['burakki', 'Umbreon'],
      ['blakki', 'Umbreon'],
      ['zenigama', 'Squirtle'],
      ['pulin', 'Jigglypuff'],
    ] as const;
    for (const [word, species] of spellings) assert.equal(fromRomaji(word)?.species, species, word);
  });

  it('have the Japanese and the English name', () => {
    const others = fromRomaji('rizardon')?.others.map((words) => words.join(' '));
    assert.deepEqual(others, ['リザアドン', 'charizard']);
  });

  it('are not found if two of them fit equally well', () => {
    assert.equal(fromRomaji('fushigidane')?.species, 'Bulbasaur');
    assert.equal(fromRomaji('fushigibana')?.species, 'Venusaur');
    assert.equal(fromRomaji('fushigidana'), undefined);
  });

  it('are not found in words that are only a little similar', () => {
    const words = [
      'lizard',
      'dragon',
      'lightning',
      'rare',
      'holo',
      'nature',
      'enter',
      'raki',
      'mew2',
    ];
    for (const word of words) assert.equal(fromRomaji(word), undefined, word);
  });

  it('sound the same with long or short vowels, and with l or r', () => {
    const romanised = fc.array(fc.constantFrom('ka', 'ri', 'zu', 'mo', 'ne', 'n'), {
      minLength: 2,
    });
    fc.assert(
      fc.property(romanised, fc.constantFrom('a', 'i', 'u', 'e', 'o'), (syllables, vowel) => {
        const word = syllables.join('');
        assert.equal(soundOf(word.replaceAll(vowel, vowel + vowel)), soundOf(word));
        assert.equal(soundOf(word.replaceAll('r', 'l')), soundOf(word));
      }),
    );
  });
});

describe('any query', () => {
  const PARTS = [
    'mr',
    'mime',
    'リザアドン',
    'tapu',
    'ล',
    'alolan',
    'アロウラ',
    'メガミュウ',
    'n',
    'ノ',
  ];

  it('is read without an error, and ends within the query', () => {
    const word = fc.oneof(fc.string(), fc.constantFrom(...PARTS));
    fc.assert(
      fc.property(fc.array(word, { maxLength: 8 }), fc.nat(9), (words, from) => {
        const found = translate(words, from);
        if (found) assert.ok(found.to > from && found.to <= words.length);
        for (const each of words) fromRomaji(each);
      }),
    );
  });
});

function pick(found: ReturnType<typeof translate>): unknown {
  return found && { to: found.to, species: found.species };
}
