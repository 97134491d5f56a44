import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { APPS } from '../../../src/commands/resolve/apps.ts';
import { asksOf, readList } from '../../support/lists.ts';

/** Headers and rows as each program writes them, with the requested items. */
const EXPORTS: readonly (readonly [app: string, content: string, asked: readonly unknown[]])[] = [
  [
    'ManaBox',
    `Binder Name,Binder Type,Name,Set code,Set name,Collector number,Foil,Rarity,Quantity,ManaBox ID,Scryfall ID,Purchase price,Misprint,Altered,Condition,Language,Purchase price currency,Added
bulk,binder,Sol Ring,CMM,Commander Masters,400,foil,uncommon,2,123,4409a063,1.00,false,false,near_mint,en,USD,`,
    [
      {
        name: 'Sol Ring',
        set: 'Commander Masters',
        setCode: 'CMM',
        number: '400',
        rarity: 'uncommon',
        game: 'mtg',
        printing: 'Foil',
        condition: 'near_mint',
        language: 'en',
        quantity: 2,
        ids: { scryfall: '4409a063' },
      },
    ],
  ],
  [
    'Moxfield',
    `"Count","Tradelist Count","Name","Edition","Condition","Language","Foil","Tags","Last Modified","Collector Number","Alter","Proxy","Purchase Price"
"1","0","Demonic Tutor","uma","Near Mint","English","etched","","2024-01-01 00:00:00","93","False","True",""`,
    [
      {
        name: 'Demonic Tutor',
        setCode: 'uma',
        number: '93',
        game: 'mtg',
        printing: 'etched',
        condition: 'Near Mint',
        language: 'English',
        quantity: 1,
      },
    ],
  ],
  [
    'Deckbox',
    `Count,Tradelist Count,Name,Edition,Edition Code,Card Number,Condition,Language,Foil,Signed,Artist Proof,Altered Art,Misprint,Promo,Textless,Printing Id,Printing Note,Tags,My Price,Cost,Rarity,Price,TcgPlayer ID,Scryfall ID
1,0,Sol Ring,Commander Legends,CMR,472,Good (Lightly Played),French,foil,,,,,,,1,,,,,U,,229952,0`,
    [
      {
        name: 'Sol Ring',
        set: 'Commander Legends',
        setCode: 'CMR',
        number: '472',
        rarity: 'U',
        printing: 'Foil',
        condition: 'Lightly Played',
        language: 'French',
        quantity: 1,
        ids: { tcgplayer: '229952' },
      },
    ],
  ],
  [
    'Archidekt',
    `Quantity,Name,Finish,Condition,Date Added,Language,Purchase Price,Tags,Edition Name,Edition Code,Multiverse Id,Scryfall ID,MTGO ID,Collector Number
3,Lightning Bolt,Normal,NM,2024-01-01,EN,,,Magic 2010,m10,1,xyz,1,146`,
    [
      {
        name: 'Lightning Bolt',
        set: 'Magic 2010',
        setCode: 'm10',
        number: '146',
        game: 'mtg',
        printing: 'Normal',
        condition: 'NM',
        language: 'EN',
        quantity: 3,
        ids: { scryfall: 'xyz' },
      },
    ],
  ],
  [
    'Delver Lens',
    `Edition code,Collector's number,Name,Non-foil quantity,Foil quantity,Scryfall ID
DGM,5,Renounce the Guilds,2,1,bc9acc14`,
    [
      {
        name: 'Renounce the Guilds',
        setCode: 'DGM',
        number: '5',
        game: 'mtg',
        printing: 'Normal',
        quantity: 2,
        ids: { scryfall: 'bc9acc14' },
      },
      {
        name: 'Renounce the Guilds',
        setCode: 'DGM',
        number: '5',
        game: 'mtg',
        printing: 'Foil',
        quantity: 1,
        ids: { scryfall: 'bc9acc14' },
      },
    ],
  ],
  [
    'Delver Lens',
    `QuantityX,Name,Edition code,Foil
"1x","Knight of the Ebon Legion","M20",""`,
    [{ name: 'Knight of the Ebon Legion', setCode: 'M20', game: 'mtg', quantity: 1 }],
  ],
  [
    'Dragon Shield',
    `"sep=,"\r
Folder Name,Quantity,Trade Quantity,Card Name,Set Code,Set Name,Card Number,Condition,Printing,Language,Price Bought,Date Bought,LOW,MID,MARKET\r
Binder,2,0,Arcane Signet,CMR,Commander Legends,297,NearMint,Foil,English,0.50,2024-03-01,0.3,0.4,0.5\r
`,
    [
      {
        name: 'Arcane Signet',
        set: 'Commander Legends',
        setCode: 'CMR',
        number: '297',
        printing: 'Foil',
        condition: 'NearMint',
        language: 'English',
        quantity: 2,
      },
    ],
  ],
  [
    'TCGplayer, app',
    `Quantity,Name,Simple Name,Set,Card Number,Set Code,Printing,Condition,Language,Rarity,Product ID,SKU,Price,Price Each
1,Charizard,Charizard,Base Set,4/102,BS,Holofoil,Near Mint,English,Holo Rare,42382,1,$350.00,$350.00`,
    [
      {
        name: 'Charizard',
        set: 'Base Set',
        setCode: 'BS',
        number: '4/102',
        rarity: 'Holo Rare',
        printing: 'Holofoil',
        condition: 'Near Mint',
        language: 'English',
        quantity: 1,
        ids: { tcgplayer: '42382' },
      },
    ],
  ],
  [
    'TCGplayer, seller',
    `TCGplayer Id,Product Line,Set Name,Product Name,Title,Number,Rarity,Condition,TCG Market Price,TCG Direct Low,TCG Low Price With Shipping,TCG Low Price,Total Quantity,Add to Quantity,TCG Marketplace Price,Photo URL
"123","Pokemon","Base Set","Charizard","","4/102","Holo Rare","Lightly Played 1st Edition Holofoil","","","","","1,000","","",""
"124","Digimon Card Game","BT-01","Agumon","","BT1-010","C","Near Mint","","","","","1","","",""`,
    [
      {
        name: 'Charizard',
        set: 'Base Set',
        number: '4/102',
        rarity: 'Holo Rare',
        game: 'pokemon',
        printing: '1st Edition Holofoil',
        condition: 'Lightly Played',
        quantity: 1000,
      },
      'unknown: The game "Digimon Card Game" is not supported.',
    ],
  ],
  [
    'Cardmarket',
    `"idArticle";"idProduct";"English Name";"Local Name";"Exp.";"Exp. Name";"Price";"Language";"Condition";"Foil?";"Signed?";"Playset?";"Altered?";"Comments";"Amount";"onSale";"collectorNumber"
"585841106";"374406";"Snow-Covered Plains";"Plaine enneigée";"MH1";"Modern Horizons";"0.05";"2";"GD";"X";"";"";"";"";"4";"";"250"`,
    [
      {
        name: 'Snow-Covered Plains',
        set: 'Modern Horizons',
        setCode: 'MH1',
        number: '250',
        printing: 'Foil',
        condition: 'Moderately Played',
        language: 'French',
        quantity: 4,
        ids: { cardmarket: '374406' },
      },
    ],
  ],
  [
    'Cardmarket',
    `idProduct;groupCount;price;idLanguage;condition;isFoil;isSigned;isAltered;isPlayset;isReverseHolo;isFirstEd;isFullArt;isUberRare;isWithDie
5942;1;3.14;7;3;;;;;1;1;;;`,
    [
      {
        printing: '1st Edition Reverse Holofoil',
        condition: 'Lightly Played',
        language: 'Japanese',
        quantity: 1,
        ids: { cardmarket: '5942' },
      },
    ],
  ],
  [
    'PriceCharting',
    `id,product-name,console-name,price-in-pennies,include-string,condition-string,sku,notes,cost-basis-in-pennies,quantity,date-entered,date-purchased,grading-company,grading-cert-id,folder
13644989,Annihilape [Reverse Holo] #41,Pokemon Pitch Black,139,Grade 9,Normal wear,,,0,2,2026-07-18,,PSA,,
11816142,Beautifly #219,Pokemon Ascended Heroes,761,Ungraded,Normal wear,,,0,1,2026-04-05,2026-04-05,,,
1,Halo,Xbox,999,Item only,Normal wear,,,0,1,2025-01-01,,,,`,
    [
      {
        name: 'Annihilape',
        set: 'Pitch Black',
        number: '41',
        game: 'pokemon',
        printing: 'Reverse Holofoil',
        grade: 'PSA 9',
        quantity: 2,
        ids: { pricecharting: '13644989' },
      },
      {
        name: 'Beautifly',
        set: 'Ascended Heroes',
        number: '219',
        game: 'pokemon',
        quantity: 1,
        ids: { pricecharting: '11816142' },
      },
      'unknown: The game "Xbox" is not supported.',
    ],
  ],
  [
    'Collectr',
    `Portfolio Name,Category,Set,Product Name,Card Number,Rarity,Variance,Grade,Card Condition,Average Cost Paid,Quantity,Market Price (As of 2026-07-07),Price Override,Watchlist,Date Added,Notes
full,One Piece,500 Years in the Future,Monkey.D.Luffy (109),OP07-109,SR,Foil,Ungraded,Near Mint,0,1,7.12,0,false,2026-01-24,; `,
    [
      {
        name: 'Monkey.D.Luffy (109)',
        set: '500 Years in the Future',
        number: 'OP07-109',
        rarity: 'SR',
        game: 'onepiece',
        printing: 'Foil',
        condition: 'Near Mint',
        quantity: 1,
      },
    ],
  ],
  [
    'Dreamborn',
    `Set Number,Card Number,Variant,Count,Name,Color,Rarity
001,191,foil,1,"Angel - Experiment 624",Amber,Rare
099,20,normal,0,"Nani - Stage Manager",Amber,Common`,
    [
      {
        name: 'Angel - Experiment 624',
        set: 'The First Chapter',
        number: '191',
        rarity: 'Rare',
        game: 'lorcana',
        printing: 'Foil',
        quantity: 1,
      },
      {
        name: 'Nani - Stage Manager',
        number: '20',
        rarity: 'Common',
        game: 'lorcana',
        printing: 'Normal',
      },
    ],
  ],
  [
    'Dreamborn',
    `Normal,Foil,Name,Set,Card Number,Color,Rarity,Price,Foil Price
0,2,The Queen - Commanding Presence,Rise of the Floodborn,26,,Super Rare,,
0,0,Te Kā - The Burning One,The First Chapter,130,,Legendary,,`,
    [
      {
        name: 'The Queen - Commanding Presence',
        set: 'Rise of the Floodborn',
        number: '26',
        rarity: 'Super Rare',
        game: 'lorcana',
        printing: 'Foil',
        quantity: 2,
      },
      {
        name: 'Te Kā - The Burning One',
        set: 'The First Chapter',
        number: '130',
        rarity: 'Legendary',
        game: 'lorcana',
      },
    ],
  ],
  [
    'SWU-DB',
    `Set,CardNumber,Count,IsFoil,Stamp
SOR,005,3,False,
SOR,123,3,true,`,
    [
      { setCode: 'SOR', number: '005', game: 'swu', quantity: 3 },
      { setCode: 'SOR', number: '123', game: 'swu', printing: 'Foil', quantity: 3 },
    ],
  ],
  [
    'Fabrary',
    `Identifier,Name,Pitch,Set,Set number,Edition,Foiling,Treatment,Have,Want in trade,Want to buy,Extra for trade,Extra to sell
1,Lightning Press,,Super Slam,SUP001,First,Rainbow,,2,9,,8,`,
    [
      {
        name: 'Lightning Press',
        set: 'Super Slam',
        number: 'SUP001',
        game: 'fab',
        printing: '1st Edition Rainbow Foil',
        quantity: 2,
      },
    ],
  ],
  [
    'YGOPRODeck',
    `cardname,cardq,cardrarity,card_edition,cardset,cardcode,cardid,print_id
Man-Eater Bug,2,Common,Unlimited,Metal Raiders,MRD-017,16768387,21779`,
    [
      {
        name: 'Man-Eater Bug',
        set: 'Metal Raiders',
        number: 'MRD-017',
        rarity: 'Common',
        game: 'yugioh',
        printing: 'Unlimited',
        quantity: 2,
      },
    ],
  ],
];

describe('exports are read as they are:', () => {
  for (const [app, content, asked] of EXPORTS) {
    test(`${app}, ${content.slice(0, 40)}…`, async () => {
      const { notes } = await readList(content);
      assert.ok(notes[0]?.startsWith(`cards is read as a table of ${app}: `), notes[0]);
      assert.deepEqual(await asksOf(content), asked);
    });
  }

  test('every one has an example here, and a row in docs/resolver.md', () => {
    const names = [...new Set(APPS.map(({ name }) => name))];
    assert.deepEqual(new Set(EXPORTS.map(([app]) => app)), new Set(names));
    const page = readFileSync('docs/resolver.md', 'utf8');
    assert.deepEqual(
      names.filter((name) => !page.includes(`| ${name} |`)),
      [],
    );
  });
});

test('tables of unknown origin are read by the usual headers', async () => {
  const head = 'Card Name,Expansion,Card No.,Qty,Holo?,Foil,Cond.';
  assert.deepEqual(await asksOf(`${head}\nMew,Fossil,7,x3,yes,-,LP\n`), [
    { name: 'Mew', set: 'Fossil', number: '7', quantity: 3, condition: 'LP' },
  ]);
});
