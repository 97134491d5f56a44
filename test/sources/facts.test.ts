import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CardFacts } from '../../src/domain/facts.ts';
import type { OpenFeed } from '../../src/sources/contract/feed.ts';
import { openFabCube } from '../../src/sources/fab-cube/read.ts';
import { openPokemonTcg } from '../../src/sources/pokemontcg.ts';
import { openScryfall } from '../../src/sources/scryfall/read.ts';
import { openSwuDb } from '../../src/sources/swu-db.ts';
import { openYgoprodeck } from '../../src/sources/ygoprodeck.ts';
import { FeedFolder, readFeed } from '../support/feeds.ts';

const folder = new FeedFolder();

/** Returns the facts of the only card of a file. */
async function factsOf(
  open: OpenFeed,
  name: string,
  content: unknown,
): Promise<CardFacts | undefined> {
  const { items, broken } = await readFeed(open, folder.write(name, JSON.stringify(content)));
  assert.deepEqual(broken, []);
  return items[0]?.facts;
}

describe('the facts of cards', () => {
  it('of the Pokémon TCG API keep their names', async () => {
    const card = {
      id: 'base1-4',
      name: 'Charizard',
      number: '4',
      supertype: 'Pokémon',
      subtypes: ['Stage 2'],
      level: '76',
      hp: '120',
      types: ['Fire'],
      evolvesFrom: 'Charmeleon',
      ancientTrait: { name: 'Θ Double', text: 'Two tools.' },
      abilities: [{ name: 'Energy Burn', text: 'Turn all.', type: 'Pokémon Power' }],
      attacks: [
        {
          name: 'Fire Spin',
          cost: ['Fire', 'Fire'],
          convertedEnergyCost: 2,
          damage: '100',
          text: '',
        },
      ],
      weaknesses: [{ type: 'Water', value: '×2' }],
      retreatCost: ['Colorless'],
      convertedRetreatCost: 1,
      artist: 'Mitsuhiro Arita',
      flavorText: 'Spits fire.',
      nationalPokedexNumbers: [6],
      legalities: { unlimited: 'Legal', expanded: 'Banned' },
      set: { id: 'base1', name: 'Base', series: 'Base' },
    };
    assert.deepEqual(await factsOf(openPokemonTcg, 'cards.json', [card]), {
      supertype: 'Pokémon',
      types: ['Fire'],
      subtypes: ['Stage 2'],
      level: '76',
      hp: '120',
      evolvesFrom: 'Charmeleon',
      abilities: [
        { name: 'Θ Double', kind: 'Ancient Trait', text: 'Two tools.' },
        { name: 'Energy Burn', kind: 'Pokémon Power', text: 'Turn all.' },
      ],
      attacks: [{ name: 'Fire Spin', cost: ['Fire', 'Fire'], damage: '100' }],
      weaknesses: [{ type: 'Water', value: '×2' }],
      retreat: ['Colorless'],
      artist: 'Mitsuhiro Arita',
      flavorText: 'Spits fire.',
      nationalPokedexNumbers: [6],
      legalities: { unlimited: 'legal', expanded: 'banned' },
      named: { id: 'base1-4', name: 'Charizard' },
    });
  });

  it('of Scryfall have the texts of both faces, and the rest of the first that has it', async () => {
    const card = {
      object: 'card',
      id: '0',
      name: 'Delver of Secrets // Insectile Aberration',
      set: 'isd',
      set_name: 'Innistrad',
      collector_number: '51',
      rarity: 'common',
      finishes: ['nonfoil'],
      digital: false,
      prices: { usd: null, usd_foil: null, usd_etched: null, eur: null, eur_foil: null },
      type_line: 'Creature — Human Wizard // Creature — Human Insect',
      cmc: 1,
      keywords: ['Transform', 'Flying'],
      legalities: { modern: 'legal', standard: 'not_legal', vintage: 'restricted' },
      card_faces: [
        {
          mana_cost: '{U}',
          colors: ['U'],
          power: '1',
          toughness: '1',
          oracle_text: 'Look.',
          artist: 'Nils Hamm',
        },
        { mana_cost: '', colors: ['U'], power: '3', toughness: '2', oracle_text: 'Flying' },
      ],
    };
    assert.deepEqual(await factsOf(openScryfall, 'default-cards.json', [card]), {
      types: ['Creature'],
      subtypes: ['Human', 'Wizard', 'Insect'],
      colors: ['Blue'],
      keywords: ['Transform', 'Flying'],
      cost: '1',
      manaCost: '{U}',
      power: '1',
      toughness: '1',
      text: 'Look.\n//\nFlying',
      artist: 'Nils Hamm',
      legalities: { modern: 'legal', vintage: 'restricted' },
    });
  });

  it('of YGOPRODeck are types, numbers, text and bans', async () => {
    const card = {
      name: 'Blue-Eyes White Dragon',
      type: 'Normal Monster',
      race: 'Dragon',
      attribute: 'LIGHT',
      desc: 'This legendary dragon\r\nis powerful.',
      atk: 3000,
      def: 0,
      level: 8,
      banlist_info: { ban_tcg: 'Limited', ban_ocg: 'Forbidden' },
      card_sets: [{ set_name: 'LOB', set_code: 'LOB-EN001', set_rarity: 'Ultra Rare' }],
      card_images: [{}],
    };
    assert.deepEqual(await factsOf(openYgoprodeck, 'cardinfo.json', { data: [card] }), {
      types: ['Normal Monster'],
      subtypes: ['Dragon'],
      attributes: ['LIGHT'],
      level: '8',
      power: '3000',
      defense: '0',
      text: 'This legendary dragon\nis powerful.',
      legalities: { tcg: 'restricted', ocg: 'banned' },
    });
  });

  it('of SWU-DB have the texts of both sides, without the braces of symbols', async () => {
    const card = {
      Set: 'SHD',
      Number: '001',
      Name: 'Gar Saxon',
      VariantType: 'Normal',
      Type: 'Leader',
      Traits: ['IMPERIAL', 'BOUNTY HUNTER'],
      Aspects: ['Vigilance', 'Villainy'],
      Arenas: ['Ground'],
      Keywords: [],
      Cost: '6',
      HP: '7',
      Power: '4',
      FrontText: 'Action [{{C=1}}, {{Exhaust}}]: Deal 2 damage.',
      EpicAction: 'Epic Action: deploy.',
      BackText: 'Each friendly unit gets +1/+0.',
      Artist: 'Ario Murti',
    };
    assert.deepEqual(await factsOf(openSwuDb, 'SHD.json', { data: [card] }), {
      types: ['Leader'],
      subtypes: ['Imperial', 'Bounty Hunter'],
      colors: ['Vigilance', 'Villainy'],
      attributes: ['Ground'],
      cost: '6',
      hp: '7',
      power: '4',
      text: 'Action [C=1, Exhaust]: Deal 2 damage.\nEpic Action: deploy.\n//\nEach friendly unit gets +1/+0.',
      artist: 'Ario Murti',
    });
  });

  it('of the-fab-cube are types, numbers and text without marks', async () => {
    const { items } = await readFeed(openFabCube, 'test/fixtures/fab-cube');
    const rhinar = items.find(({ card }) => card.name === 'Rhinar, Reckless Rampage');
    const { types, text } = rhinar?.facts ?? {};
    assert.deepEqual([types, text], [['Brute', 'Hero'], 'Whenever you intimidate.']);
  });
});
