import type { GameSlug } from '../../domain/games.ts';
import type { Entry } from './entry.ts';
import { set, sets } from './set-entry.ts';

const YUGIOH: readonly Entry[] = [
  yugioh('Legend of Blue Eyes White Dragon', 'lobewd, blue eyes set'),
  yugioh('Enemy of Justice', 'eog'),
  yugioh('25th Anniversary Rarity Collection', 'rc1, rarity collection 1, rarity collection i'),
  yugioh('25th Anniversary Rarity Collection II', 'rc2, rarity collection 2'),
  yugioh('Quarter Century Bonanza', 'rc3, qcb, rarity collection 3'),
  yugioh('Quarter Century Stampede', 'rc4, qcst, rarity collection 4'),
  yugioh('Rarity Collection 5', 'rc5'),
  yugioh('Ghosts From the Past: The 2nd Haunting', 'gftp 2'),
  yugioh('Maximum Gold: El Dorado', 'mago2'),
  yugioh("Legendary Collection 3: Yugi's World Mega Pack", 'lc3'),
  yugioh("Legendary Collection 4: Joey's World Mega Pack", 'lc4'),
  yugioh("Legendary Collection 5D's Mega Pack", 'lc5'),
  yugioh('Legendary Collection 2: The Duel Academy Years Mega Pack', 'lc2'),
  yugioh('Legendary Collection Kaiba Mega Pack', 'lck'),
  sets(
    'yugioh',
    '25th Anniversary Edition',
    'reprint set, 25th reprint, 25th anniversary reprint',
    [
      'Legend of Blue Eyes White Dragon (25th Anniversary Edition)',
      'Metal Raiders (25th Anniversary Edition)',
      'Spell Ruler (25th Anniversary Edition)',
      "Pharaoh's Servant (25th Anniversary Edition)",
      'Dark Crisis (25th Anniversary Edition)',
      'Invasion of Chaos (25th Anniversary Edition)',
    ],
  ),
  yugioh('Dark Revelation Volume 4', 'dr 4'),
  yugioh('Hidden Arsenal', 'ha1, hidden arsenal 1'),
  yugioh('Hidden Arsenal 2', 'ha2'),
  yugioh('Hidden Arsenal 3', 'ha3'),
  yugioh("Hidden Arsenal 4: Trishula's Triumph", 'ha4'),
  yugioh('Hidden Arsenal 5: Steelswarm Invasion', 'ha5'),
  yugioh('Hidden Arsenal 6: Omega Xyz', 'ha6'),
  yugioh('Hidden Arsenal 7: Knight of Stars', 'ha7'),
  yugioh('Battle Pack: Epic Dawn', 'bp1, battle pack 1'),
  yugioh('Battle Pack 2: War of the Giants', 'bp2'),
  yugioh('Battle Pack 3: Monster League', 'bp3'),
  yugioh('Gold Series', 'gs1, gold series 1'),
  yugioh('Gold Series 2009', 'gs2, gold series 2'),
  yugioh('Gold Series 3', 'gs3'),
  yugioh('Gold Series 4: Pyramids Edition', 'gs4'),
  yugioh('Gold Series: Haunted Mine', 'gs5, gold series 5'),
  yugioh('Premium Gold: Return of the Bling', 'pgld2, premium gold 2'),
  yugioh('Premium Gold: Infinite Gold', 'pgld3, premium gold 3'),
  yugioh('Dragons of Legend 2', 'dol2'),
  yugioh('Dragons of Legend: Unleashed', 'dol3'),
];

const ONEPIECE: readonly Entry[] = [
  onepiece('ROMANCE DAWN', 'op 1'),
  onepiece('PARAMOUNT WAR', 'op 2'),
  onepiece('PILLARS OF STRENGTH', 'op 3'),
  onepiece('KINGDOMS OF INTRIGUE', 'op 4'),
  onepiece('AWAKENING OF THE NEW ERA', 'op 5'),
  onepiece('WINGS OF THE CAPTAIN', 'op 6'),
  onepiece('500 YEARS IN THE FUTURE', 'op 7'),
  onepiece('TWO LEGENDS', 'op 8'),
  onepiece('EMPERORS IN THE NEW WORLD', 'op 9'),
  onepiece('THE AZURE SEA’S SEVEN', 'op 14'),
  onepiece('BOOSTER PACK', 'op 15'),
  onepiece('MEMORIAL COLLECTION', 'eb 1'),
  onepiece('Anime 25th Collection', 'eb 2'),
  onepiece('ONE PIECE HEROINES EDITION', 'eb 3'),
  onepiece('ONE PIECE CARD THE BEST', 'prb1, premium booster, premium booster 1, prb'),
  onepiece('ONE PIECE CARD THE BEST vol.2', 'prb 2, premium booster 2'),
  onepiece('Straw Hat Crew', 'st 1'),
  onepiece('Worst Generation', 'st 2'),
  onepiece('The Seven Warlords of the Sea', 'st 3'),
  onepiece('Animal Kingdom Pirates', 'st 4'),
  onepiece('ONE PIECE FILM edition', 'st 5'),
  onepiece('Absolute Justice', 'st 6'),
  onepiece('Big Mom Pirates', 'st 7'),
  onepiece('Monkey D. Luffy', 'st 8'),
  onepiece('Yamato', 'st 9'),
  onepiece('Promotion card', 'op promo'),
];

const LORCANA: readonly Entry[] = [
  lorcana('The First Chapter', 'chapter 1, 1st chapter, the 1st chapter, set 1, 1tfc'),
  lorcana('Rise of the Floodborn', 'chapter 2, set 2, rotf, rfb'),
  lorcana('Into the Inklands', 'chapter 3, set 3, itl'),
  lorcana("Ursula's Return", 'chapter 4, set 4, urs'),
  lorcana('Shimmering Skies', 'chapter 5, set 5, shs'),
  lorcana('Azurite Sea', 'chapter 6, set 6, azu'),
  lorcana("Archazia's Island", 'chapter 7, set 7, arc'),
  lorcana('Reign of Jafar', 'chapter 8, set 8, jaf, rj'),
  lorcana('Fabled', 'chapter 9, set 9'),
  lorcana('Whispers in the Well', 'chapter 10, set 10, wiw, whi'),
  lorcana('Winterspell', 'chapter 11, set 11'),
  lorcana('Disney Lorcana Promo Cards', 'p1 promo, lorcana promos'),
  lorcana('D23 Promos', 'd23 expo, d23 promo'),
  lorcana('Challenge Promo', 'challenge promos, set championship, c1 promo'),
];

const SWU: readonly Entry[] = [
  swu('Spark of Rebellion', 'set 1, swu 1'),
  swu('Shadows of the Galaxy', 'set 2, swu 2'),
  swu('Twilight of the Republic', 'set 3, swu 3, totr'),
  swu('Jump to Lightspeed', 'set 4, swu 4'),
  swu('Legends of the Force', 'set 5, swu 5, lotf'),
  swu('Secrets of Power', 'set 6, swu 6, sop'),
];

const FAB: readonly Entry[] = [
  fab('Welcome to Rathe', 'wtra, wtru, wtr alpha, alpha'),
  fab('Arcane Rising', 'arcu, arc 1st, arc unlimited'),
  fab('Crucible of War', 'cruu'),
  fab('Tales of Aria', 'toa'),
  fab('Part the Mistveil', 'ptm'),
  fab('Dusk till Dawn', 'dusk til dawn'),
  fab('History Pack 1 – Black Label', 'hp1, 1hp black label'),
];

/** Sets of the games with smaller tables. Set codes themselves are not listed: they are found. */
export const OTHER_SETS: readonly Entry[] = [...YUGIOH, ...ONEPIECE, ...LORCANA, ...SWU, ...FAB];

function yugioh(name: string, words: string): Entry {
  return of('yugioh', name, words);
}

function onepiece(name: string, words: string): Entry {
  return of('onepiece', name, words);
}

function lorcana(name: string, words: string): Entry {
  return of('lorcana', name, words);
}

function swu(name: string, words: string): Entry {
  return of('swu', name, words);
}

function fab(name: string, words: string): Entry {
  return of('fab', name, words);
}

function of(game: GameSlug, name: string, words: string): Entry {
  return set(game, name, words);
}
