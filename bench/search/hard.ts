import type { KnownQuery } from './queries.ts';

/** Queries of collectors that are hard to answer, with the card that each means. */
export const HARD: readonly KnownQuery[] = [
  hard('split', 'char izard', 'pokemon', 'Charizard'),
  hard('split', 'mew two ex', 'pokemon', 'Mewtwo ex'),
  hard('run together', 'mistvalleybabyroc', 'yugioh', 'Mist Valley Baby Roc'),
  hard('run together, unfinished', 'mistvalleybab', 'yugioh', 'Mist Valley Baby Roc'),
  hard('first letter wrong', 'vharizard', 'pokemon', 'Charizard'),
  hard('swapped letters', 'ligthning bolt', 'mtg', 'Lightning Bolt'),
  hard('two edits', 'archanlg of erudition', 'fab', 'Suraya, Archangel of Erudition'),
  hard('number without zeros', 'charizard 4', 'pokemon', 'Charizard', '004/102'),
  hard('number with total', 'charizard 4/102', 'pokemon', 'Charizard', '004/102'),
  hard('set and number', 'BS 4', 'pokemon', 'Charizard', '004/102'),
  hard('code run together', 'op01025', 'onepiece', 'Roronoa Zoro', 'OP01-025'),
  hard('code without language', 'LOB-005', 'yugioh', 'Dark Magician', 'LOB-005'),
  hard('promo number apart', 'swsh 39', 'pokemon', 'Pikachu', 'SWSH039'),
  hard('gallery number', 'TG12', 'pokemon', 'Orbeetle V', 'TG12/TG30'),
  hard('star in a number', '117★', 'mtg', 'Time Stop', '117★'),
  hard('initials', 'ddd gilgamesh', 'yugioh', 'D/D/D Abyss King Gilgamesh'),
  hard('accent left out', 'aether vial', 'mtg', 'Aether Vial'),
  hard('sign for a word', 'nidoran ♀', 'pokemon', 'Nidoran F'),
  hard('second face', 'bala ged sanctuary', 'mtg', 'Bala Ged Recovery // Bala Ged Sanctuary'),
  hard('other kana', 'ぴかちゅう', 'pokemonjp', 'ピカチュウ'),
  hard('long vowel', 'ピカチュー', 'pokemonjp', 'ピカチュウ'),
  hard('part of Japanese', '指令', 'pokemonjp', 'ボスの指令'),
  hard('Japanese run together', 'カプコケコ', 'pokemonjp', 'カプ・コケコ'),
  hard('html entity', 'kid &amp; killer', 'onepiece', 'Kid & Killer'),
  // A word that matches as typed, even as a prefix, is not corrected.
  hard('misspelling that is another word', 'lightning blot', 'mtg', 'Lightning Bolt'),
  hard(
    'misspelling that begins another word',
    'massassi tempe',
    'swu',
    'Massassi Temple - Yavin 4',
  ),
  hard('misspelling that begins another word', 'gothit', 'pokemon', 'Gothita'),
  hard('unpriced behind dearer games', 'twin twisters', 'fab', 'Twin Twisters'),
  hard('beginning misspelt', 'charzar', 'pokemon', 'Charizard'),
  hard('three edits', 'pickachew', 'pokemon', 'Pikachu'),
  hard('words of the set name', 'lugia neo genesis', 'pokemon', 'Lugia'),
  hard('Japanese in Latin letters', 'pikachuu vmax', 'pokemonjp', 'ピカチュウVMAX'),
];

function hard(kind: string, q: string, game: string, name: string, number?: string): KnownQuery {
  return number === undefined ? { kind, q, game, name } : { kind, q, game, name, number };
}
