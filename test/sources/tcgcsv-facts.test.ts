import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CardFacts } from '../../src/domain/facts.ts';
import type { GameSlug } from '../../src/domain/games.ts';
import { factsOf } from '../../src/sources/tcgcsv/facts.ts';

function facts(
  game: GameSlug,
  extended: Readonly<Record<string, string | null>>,
): CardFacts | undefined {
  const data = Object.entries(extended).map(([name, value]) => ({ name, value }));
  return factsOf(game, data);
}

describe("facts in TCGplayer's extended data", () => {
  it('of a Pokémon are its type, stage, attacks and abilities', () => {
    const charizard = facts('pokemon', {
      Number: '004/102',
      'Card Type': 'Fire',
      HP: '120',
      Stage: 'Stage 2',
      CardText: '<strong>Pokémon Power — Energy Burn</strong>\r\n<br>Turn all Energy into Fire.',
      'Attack 1': '[1RRR] Fire Spin (100x)\r\n<br>Discard 2 <em>Energy</em> &amp; go.',
      Weakness: 'Wx2',
      Resistance: 'F-30',
      RetreatCost: '3',
    });
    assert.deepEqual(charizard, {
      supertype: 'Pokémon',
      types: ['Fire'],
      subtypes: ['Stage 2'],
      hp: '120',
      abilities: [
        { name: 'Energy Burn', kind: 'Pokémon Power', text: 'Turn all Energy into Fire.' },
      ],
      attacks: [
        {
          name: 'Fire Spin',
          cost: ['Fire', 'Fire', 'Fire', 'Colorless'],
          damage: '100×',
          text: 'Discard 2 Energy & go.',
        },
      ],
      weaknesses: [{ type: 'Water', value: '×2' }],
      resistances: [{ type: 'Fighting', value: '-30' }],
      retreat: ['Colorless', 'Colorless', 'Colorless'],
    });
  });

  it('of trainers and energies are named as the Pokémon TCG API names them', () => {
    const kinds = {
      Supporter: ['Trainer', ['Supporter']],
      'Trainer - Pokemon Tool': ['Trainer', ['Pokémon Tool']],
      Trainer: ['Trainer', undefined],
      'Basic Fire Energy': ['Energy', ['Basic']],
      'Special Energy': ['Energy', ['Special']],
    };
    for (const [type, kind] of Object.entries(kinds)) {
      const { supertype, subtypes } = facts('pokemon', { 'Card Type': type }) ?? {};
      assert.deepEqual([supertype, subtypes], kind, type);
    }
  });

  it('leave out what says nothing', () => {
    const read = facts('pokemon', {
      'Card Type': 'Fire',
      HP: '0',
      Weakness: 'None',
      RetreatCost: '0',
    });
    assert.deepEqual(read, { supertype: 'Pokémon', types: ['Fire'] });
    assert.equal(facts('mtg', { Rarity: 'C', Number: '98', OracleText: null }), undefined);
  });

  it('have attacks however TCGplayer divides them', () => {
    const attacks = Object.entries({
      'Attack 1': '[1L] Burst (100x)\r\nDiscard all.',
      'Attack 2': '[G][C] Psychic (10+) This attack does more.',
      'Attack 3': '[P] Future Sight - Look at your deck.',
      'Attack 4': '<span style="color:gold">VSTAR Power</span>\r\n<br>[0] Star (70x)<br>Once.',
    }).map(([name, text]) => facts('pokemon', { [name]: text })?.attacks?.[0]);
    assert.deepEqual(attacks, [
      { name: 'Burst', cost: ['Lightning', 'Colorless'], damage: '100×', text: 'Discard all.' },
      {
        name: 'Psychic',
        cost: ['Grass', 'Colorless'],
        damage: '10+',
        text: 'This attack does more.',
      },
      { name: 'Future Sight', cost: ['Psychic'], text: 'Look at your deck.' },
      { name: 'Star', damage: '70×', text: 'Once.' },
    ]);
  });

  it('keep an attack that is written in another way as text', () => {
    const read = facts('pokemon', {
      'Attack 1': '<b>Wing Attack</b> - 60',
      CardText: 'Draw 3 cards.',
    });
    assert.deepEqual(read, { text: 'Draw 3 cards.\nWing Attack - 60' });
  });

  it('of the other games have the same names', () => {
    const one = facts('onepiece', {
      Color: 'Green;Red',
      CardType: 'Leader',
      Life: '4',
      Power: '5000',
      Subtypes: 'Heart Pirates;Supernovas',
      Attribute: 'Slash',
      Counterplus: '1000',
      Description: '[On Play]<br><br>\n<a href="https://example.com">Errata</a>',
    });
    assert.deepEqual(one, {
      types: ['Leader'],
      subtypes: ['Heart Pirates', 'Supernovas'],
      colors: ['Green', 'Red'],
      attributes: ['Slash'],
      life: '4',
      power: '5000',
      counter: '1000',
      text: '[On Play]\nErrata',
    });
    const magic = {
      SubType: 'Legendary Creature — Elf Druid',
      P: '1',
      T: '1+*',
      OracleText: 'Flash',
    };
    assert.deepEqual(facts('mtg', magic), {
      types: ['Legendary', 'Creature'],
      subtypes: ['Elf', 'Druid'],
      power: '1',
      toughness: '1+*',
      text: 'Flash',
    });
    const yugioh = {
      'Card Type': 'Effect Monster',
      MonsterType: 'Dragon',
      Attack: '3000',
      Defense: '2500',
    };
    assert.deepEqual(facts('yugioh', yugioh), {
      types: ['Effect Monster'],
      subtypes: ['Dragon'],
      power: '3000',
      defense: '2500',
    });
    const lorcana = {
      'Cost Ink': '8',
      InkType: 'Ruby',
      Strength: '5',
      Willpower: '6',
      'Lore Value': '4',
    };
    assert.deepEqual(facts('lorcana', lorcana), {
      cost: '8',
      colors: ['Ruby'],
      power: '5',
      toughness: '6',
      lore: '4',
    });
    const fab = { Class: 'Brute', CardSubType: 'Attack', 'Pitch Value': '1', Intellect: '4' };
    assert.deepEqual(facts('fab', fab), {
      subtypes: ['Brute', 'Attack'],
      pitch: '1',
      intellect: '4',
    });
    const swu = { Aspect: 'Command;Villainy', Traits: 'IMPERIAL', ArenaType: 'Ground', HP: '7' };
    const { colors, attributes, hp } = facts('swu', swu) ?? {};
    assert.deepEqual([colors, attributes, hp], [['Command', 'Villainy'], ['Ground'], '7']);
  });

  it('take no time that grows faster than a hostile text', () => {
    for (const text of [
      '<'.repeat(100_000),
      '<a '.repeat(50_000),
      '[1RR] '.repeat(20_000),
      '&#'.repeat(50_000),
    ]) {
      const start = performance.now();
      facts('pokemon', { CardText: text, 'Attack 1': text });
      assert.ok(performance.now() - start < 500, text.slice(0, 6));
    }
  });
});
