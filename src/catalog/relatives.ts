import { type Card, defaultPrinting } from '../domain/card.ts';
import { withoutBrackets } from '../domain/card-name.ts';
import { compareNumbers } from '../domain/collector-number.ts';
import { gameBySlug, rulesOf } from '../domain/games.ts';
import { compareNames, readName } from '../domain/naming/comparable-name.ts';
import { compareText } from '../domain/text.ts';
import { type Lookup, namesInOtherLanguages } from '../search/index.ts';

/**
 * Returns the other cards with the same name, ignoring variants in brackets, in this game and in
 * the game that prints it in another language. The most alike come first, then the most expensive.
 */
export function cardsOfSameName(card: Card, lookup: Lookup): Card[] {
  const found = [...sameGame(card, lookup), ...otherLanguages(card, lookup)];
  const ranked = found.map((other) => {
    const market = defaultPrinting(other)?.prices.market ?? 0;
    return { other, likeness: likeness(card, other), market };
  });
  ranked.sort((a, b) => {
    return b.likeness - a.likeness || b.market - a.market || compareText(a.other.id, b.other.id);
  });
  return ranked.map(({ other }) => other);
}

/** How alike two cards of one name are: language counts most, then the variant, then the rarity. */
function likeness(one: Card, other: Card): number {
  const sameGame = one.set.game === other.set.game ? 4 : 0;
  const sameVariant = variantOf(one.name) === variantOf(other.name) ? 2 : 0;
  return sameGame + sameVariant + (one.rarity === other.rarity ? 1 : 0);
}

/** Returns the text in brackets after a name, such as `Alternate Art`. */
function variantOf(name: string): string {
  return name.slice(withoutBrackets(name).length).trim();
}

function sameGame(card: Card, lookup: Lookup): Card[] {
  const { game } = card.set;
  const name = readName(rulesOf(game), card.name, null);
  return lookup.named(withoutBrackets(card.name)).filter((other) => {
    if (other.rowId === card.rowId || other.set.game !== game) return false;
    const otherName = readName(rulesOf(game), other.name, null);
    return compareNames(name, otherName) === 'whole' && isSameCard(card, other);
  });
}

function otherLanguages(card: Card, lookup: Lookup): Card[] {
  const game = gameBySlug(card.set.game).translation;
  if (game === null) return [];
  const names = namesInOtherLanguages(withoutBrackets(card.name));
  const found = new Set(names.flatMap((name) => lookup.named(name)));
  return [...found].filter((other) => other.set.game === game && isSameCard(card, other));
}

/** Whether two cards of one name can be the same card. */
function isSameCard(one: Card, other: Card): boolean {
  // Many cards show the same character, but a reprinted card keeps its number.
  if (one.set.game === 'onepiece') return compareNumbers(one.number, other.number) === 'same';
  return mechanicOf(one.name) === mechanicOf(other.name);
}

/** Returns `EX` of `Charizard EX`, a different kind of card than `Charizard ex`. */
function mechanicOf(name: string): string | undefined {
  return /(?:EX|ex)$/.exec(withoutBrackets(name))?.[0];
}
