/** Names and codes of sets that others use, by the names that the catalogue has. */
import type { CardSet } from '../../src/domain/card.ts';
import { readSetName } from '../../src/domain/card-name.ts';
import { decodeEntities } from '../../src/domain/text.ts';

/** The codes that Pokemon TCG Live writes into decklists. */
const LIVE_CODES: Readonly<Record<string, string>> = {
  'Black and White': 'BLW',
  'Emerging Powers': 'EPO',
  'Noble Victories': 'NVI',
  'Next Destinies': 'NXD',
  'Dark Explorers': 'DEX',
  'Dragons Exalted': 'DRX',
  'Boundaries Crossed': 'BCR',
  'Plasma Storm': 'PLS',
  'Plasma Freeze': 'PLF',
  'Plasma Blast': 'PLB',
  'XY - Flashfire': 'FLF',
  'XY - Furious Fists': 'FFI',
  'XY - Phantom Forces': 'PHF',
  'XY - Primal Clash': 'PRC',
  'XY - Roaring Skies': 'ROS',
  'XY - Ancient Origins': 'AOR',
  'XY - BREAKthrough': 'BKT',
  'XY - Fates Collide': 'FCO',
  'XY - Steam Siege': 'STS',
  'XY - Evolutions': 'EVO',
  'SM Base Set': 'SUM',
  'SM - Guardians Rising': 'GRI',
  'SM - Burning Shadows': 'BUS',
  'SM - Crimson Invasion': 'CIN',
  'SM - Ultra Prism': 'UPR',
  'SM - Forbidden Light': 'FLI',
  'SM - Celestial Storm': 'CES',
  'SM - Lost Thunder': 'LOT',
  'SM - Team Up': 'TEU',
  'SM - Unbroken Bonds': 'UNB',
  'SM - Unified Minds': 'UNM',
  'SM - Cosmic Eclipse': 'CEC',
  'SWSH01: Sword & Shield Base Set': 'SSH',
  'SWSH02: Rebel Clash': 'RCL',
  'SWSH03: Darkness Ablaze': 'DAA',
  "Champion's Path": 'CPA',
  'SWSH04: Vivid Voltage': 'VIV',
  'SWSH05: Battle Styles': 'BST',
  'SWSH06: Chilling Reign': 'CRE',
  'SWSH07: Evolving Skies': 'EVS',
  'SWSH08: Fusion Strike': 'FST',
  'SWSH09: Brilliant Stars': 'BRS',
  'SWSH10: Astral Radiance': 'ASR',
  'SWSH11: Lost Origin': 'LOR',
  'SWSH12: Silver Tempest': 'SIT',
  'Crown Zenith': 'CRZ',
  'SV01: Scarlet & Violet Base Set': 'SVI',
  'SV02: Paldea Evolved': 'PAL',
  'SV03: Obsidian Flames': 'OBF',
  'SV: Scarlet & Violet 151': 'MEW',
  'SV04: Paradox Rift': 'PAR',
  'SV: Paldean Fates': 'PAF',
  'SV05: Temporal Forces': 'TEF',
  'SV06: Twilight Masquerade': 'TWM',
  'SV: Shrouded Fable': 'SFA',
  'SV07: Stellar Crown': 'SCR',
  'SV08: Surging Sparks': 'SSP',
  'SV: Prismatic Evolutions': 'PRE',
  'SV09: Journey Together': 'JTG',
  'SV10: Destined Rivals': 'DRI',
};

/** Names at TCGplayer. */
const TCGPLAYER_NAMES: Readonly<Record<string, string>> = {
  'Limited Edition Alpha': 'Alpha Edition',
  'Limited Edition Beta': 'Beta Edition',
  'Fifth Edition': 'Fifth Edition',
  'Seventh Edition': '7th Edition',
  'Eighth Edition': '8th Edition',
  'Ninth Edition': '9th Edition',
  'Tenth Edition': '10th Edition',
  'Magic 2010': 'Magic 2010 (M10)',
  'Magic 2011': 'Magic 2011 (M11)',
  'Magic 2012': 'Magic 2012 (M12)',
  'Magic 2013': 'Magic 2013 (M13)',
  'Magic 2014': 'Magic 2014 (M14)',
  'Magic 2015': 'Magic 2015 (M15)',
  'Ravnica: City of Guilds': 'Ravnica',
  'Final Fantasy': 'FINAL FANTASY',
  'The Lord of the Rings: Tales of Middle-earth':
    'Universes Beyond: The Lord of the Rings: Tales of Middle-earth',
  "Assassin's Creed": "Universes Beyond: Assassin's Creed",
};

/** Names at Cardmarket. */
const CARDMARKET_NAMES: Readonly<Record<string, string>> = {
  'Limited Edition Alpha': 'Alpha',
  'Limited Edition Beta': 'Beta',
  'Unlimited Edition': 'Unlimited',
  'Revised Edition': 'Revised',
  'Classic Sixth Edition': 'Sixth Edition',
  'Core Set 2019': 'Core 2019',
  'Core Set 2020': 'Core 2020',
  'Core Set 2021': 'Core 2021',
  'Final Fantasy': 'Magic: The Gathering - FINAL FANTASY',
  'SV01: Scarlet & Violet Base Set': 'Scarlet & Violet',
  'SV: Scarlet & Violet 151': 'Pokémon 151',
  'SV: Scarlet & Violet Promo Cards': 'SV Black Star Promos',
  'SWSH01: Sword & Shield Base Set': 'Sword & Shield',
  'SWSH: Sword & Shield Promo Cards': 'SWSH Black Star Promos',
  'SM Base Set': 'Sun & Moon',
  'SM Promos': 'SM Black Star Promos',
  'XY Base Set': 'XY',
  'XY Promos': 'XY Black Star Promos',
  'Black and White': 'Black & White',
  'Black and White Promos': 'BW Black Star Promos',
  'Diamond and Pearl': 'Diamond & Pearl',
  'Ruby and Sapphire': 'Ruby & Sapphire',
  'HeartGold SoulSilver': 'HeartGold & SoulSilver',
  'Pokemon GO': 'Pokémon GO',
  Expedition: 'Expedition Base Set',
  'WoTC Promo': 'Wizards Black Star Promos',
  'Legend of Blue Eyes White Dragon': 'Legend of Blue-Eyes White Dragon',
};

/** Returns the code that Pokemon TCG Live writes; undefined for sets that it does not have. */
export function liveCode(set: CardSet): string | undefined {
  return LIVE_CODES[decodeEntities(set.name)];
}

export function tcgplayerName(set: CardSet): string {
  const name = decodeEntities(set.name);
  return TCGPLAYER_NAMES[name] ?? name;
}

/** Returns Cardmarket's name of a set, which has no code in front. */
export function cardmarketName(set: CardSet): string {
  const name = decodeEntities(set.name);
  return CARDMARKET_NAMES[name] ?? readSetName(name).name;
}
