/** Texts in lists and listings that are not cards of the eight games. */

export const SEALED = [
  ...['Booster Box', 'Booster Pack', 'Elite Trainer Box', 'Booster Box Case', 'Collector Booster'],
  ...['Draft Booster Pack', 'Blister Pack sealed', 'Starter Deck sealed', 'Commander Deck'],
  ...[
    'Prerelease Kit',
    'Bundle',
    'Tin (sealed)',
    'Display Box',
    'Structure Deck box',
    'ETB sealed',
  ],
  ...['Booster Pack (36 packs)', 'Gift Set', 'Illumineer’s Trove', 'Build & Battle Box'],
];

export const OTHER_GAMES = [
  ...['Agumon BT1-010 Common', 'Omnimon BT5-086 Super Rare Digimon', 'WarGreymon EX1-073'],
  ...['4 Gabumon BT2-069', 'Digimon Beelzemon BT12-085 alt art', 'Imperialdramon BT8-112 Secret'],
  ...[
    'Digimon Veemon BT3-021',
    '1996 Topps Kobe Bryant #138 RC',
    'Goku the Saiyan Dragon Ball Z CCG',
  ],
  ...['Marvel Annual Wolverine #1 Upper Deck', 'Weiss Schwarz Nakano Miku 5HY/W83-E050 RR'],
  ...['Gallantmon (BT17) 016', 'Digimon Card Game Greymon ST1-07 Uncommon'],
  ...['Son Goku FB01-139 Secret Rare', 'SS4 Son Goku, Returned BT4-003 SR Dragon Ball Super'],
  ...['Vegeta, Prince of Speed BT1-028', 'Dragon Ball Fusion World Vegeta FB02-089 Leader'],
  ...['Gogeta, Fateful Fusion DB1-001', 'Broly, Legend’s Dawning BT1-073 SR', 'Frieza FB01-093'],
  ...['Hatsune Miku PJS/S91-E001 SSP', 'Weiss Schwarz Rem RZ/S46-E001 SP', 'Megumin KS/W49-E070'],
  ...['Weiss Schwarz Asuna SAO/S20-E001 RRR', 'Kaguya KGL/S79-E001SP', 'Tohru MK/S46-E002'],
  ...['1986 Fleer Michael Jordan #57 PSA 8', '2003 Topps Chrome LeBron James RC #111 BGS 9.5'],
  ...['1952 Topps Mickey Mantle #311', '2018 Panini Prizm Luka Doncic #280 Silver PSA 10'],
  ...['2000 Playoff Contenders Tom Brady Auto #144', '1989 Upper Deck Ken Griffey Jr #1 RC'],
  ...['2020 Topps Update Shohei Ohtani #U120', '1979 O-Pee-Chee Wayne Gretzky #18 RC'],
  ...['Panini World Cup 2022 Lionel Messi sticker ARG 20', '2017 Donruss Patrick Mahomes #327'],
  ...['1999 Topps Pokemon TV Animation Charizard #6 Foil', 'Topps Pokemon Movie Mewtwo #1'],
  ...['Topps Star Wars 1977 Luke Skywalker #1', 'Star Wars CCG Darth Vader Premiere Decipher'],
  ...['Star Wars Destiny Luke Skywalker - Jedi Knight #035', 'Force of Will Alice CFC-001'],
  ...['Cardfight Vanguard Blaster Blade BT01/002EN', 'Vanguard Dragonic Overlord V-BT01/001'],
  ...['Final Fantasy TCG Cloud 1-182S', 'FFTCG Sephiroth 11-130L Legend', 'Tifa 7-080C FFTCG'],
  ...['Union Arena Gojo Satoru JJK-1-001', 'Gundam Card Game RX-78-2 GD01-001 LR'],
  ...[
    'Hololive OCG Gawr Gura hBP01-030',
    'Naruto CCG Sasuke Uchiha #N-048',
    'Keyforge Bait and Switch',
  ],
  ...['Garbage Pail Kids Adam Bomb #8a', 'MetaZoo Mothman 1st Edition Cryptid Nation 66/159'],
  ...['Shadowverse Evolve Forest Dragon BP01-001EN', 'Battle Spirits Saga Siegfried BSS01-001'],
  ...[
    'Altered TCG Sierra & Oddball ALT_CORE_B_AX_01',
    'Sorcery Contested Realm Philosopher’s Stone',
  ],
  ...['Legend of the Five Rings Doji Hotaru', 'Netrunner Hedge Fund 110', 'Riftbound Jinx OGN-030'],
  ...['Marvel Snap Galactus', 'Hearthstone Ragnaros the Firelord', 'UniVersus Deku MHA01 001'],
  ...['Bakugan Pyrus Dragonoid BB 12', 'Chaotic Maxxor 1/232', 'VS System Spider-Man MSM-001'],
  ...[
    'Grand Archive Lorraine, Wandering Warrior DOA-001',
    'Wixoss Tama WX01-001',
    'uno reverse card',
  ],
];

export const HEADINGS = [
  ...['Deck', 'Sideboard', 'Commander', 'Companion', 'Maybeboard', 'SIDEBOARD:', 'Pokémon: 18'],
  ...['Trainer: 32', 'Energy: 10', 'Total Cards: 60', '// Lands', '// Creatures (24)', '# my deck'],
  ...[
    'Name,Set code,Set name,Collector number,Foil',
    'Quantity\tName\tSet',
    'Pokémon (18)',
    '=====',
  ],
  ...[
    'Lands (24)',
    'Instants (8)',
    'Main Deck',
    'Extra Deck',
    'Side Deck',
    'Leader',
    'Base',
    'About',
  ],
  ...[
    'https://www.moxfield.com/decks/abc',
    'Name My Burn Deck',
    'Deck 1',
    '##Pokémon Trading Card Game',
  ],
  ...[
    '****** Pokémon Trading Card Game Deck List ******',
    'Total: 60 cards',
    'Units',
    'Ground Units',
  ],
  ...[
    'Weapons',
    'Equipment',
    'Hero:',
    'Format: Blitz',
    'Class: Warrior',
    'Planeswalkers (3)',
    '!Main',
  ],
];

export const PROXY_WORDS = [
  ...['proxy', 'PROXY card', 'custom proxy', 'replica', 'fan art custom card', 'gold metal card'],
  ...[
    'orica',
    'fake',
    'reprint custom metal',
    'playtest proxy',
    'not official',
    'digital code card',
  ],
];

export const LOT_WORDS = [
  ...[
    'lot of 50 cards',
    'bulk lot 100 cards',
    'LOT',
    'card lot x25',
    'random lot',
    'collection lot',
  ],
  ...['choose your card', 'pick your card', 'you choose', 'complete set', 'bundle of 10 cards'],
];
