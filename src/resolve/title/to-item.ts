import { withoutBrackets } from '../../domain/card-name.ts';
import { foldText } from '../../domain/text.ts';
import type { Phrase } from '../../search/index.ts';
import type { ResolveItem } from '../types.ts';
import type { Explained } from './explain.ts';
import { type Title, wordsIn } from './title.ts';

/**
 * Returns a title as a description, by how its words are read for the card that explains most of
 * them. Every card of the description is then judged, that card as any other.
 */
export function toItem(title: Title, best: Explained, given: ResolveItem): ResolveItem {
  const { text: _, ...known } = given;
  return {
    ...readPhrases(best, known),
    ...known,
    name: nameOf(title, best),
    ...numberOf(title, best),
    ...(best.set ? { setId: best.card.set.id } : {}),
  };
}

/** The name as the card has it where the words are those, so that brackets and accents agree. */
function nameOf(title: Title, { card, name, variants }: Explained): string {
  const typed = wordsIn(title, name);
  const isWhole = foldText(typed) === foldText(card.name);
  const plain = withoutBrackets(card.name);
  const isPlain = foldText(typed) === foldText(plain);
  const text = isWhole ? card.name : isPlain ? plain : typed;
  return isWhole ? text : [text, ...variants.map((phrase) => `(${phrase})`)].join(' ');
}

/** The card's number, or the first other number of the title, which then contradicts the card. */
function numberOf({ numbers }: Title, { number, leftover, card }: Explained): { number?: string } {
  if (number) return { number: isMisread(number.text) ? (card.number ?? '') : number.text };
  const other = numbers.find(({ from }) => leftover.includes(from));
  return other ? { number: other.text } : {};
}

/** Whether letters were read for the digits of a number: `l49/249`. */
function isMisread(text: string): boolean {
  return /^[a-z]?\d*[a-z]\d/i.test(text) && !/^[A-Z]{2,}/.test(text);
}

/** What the phrases of a title say, in the fields of an item. */
function readPhrases({ phrases, card }: Explained, { game }: ResolveItem): ResolveItem {
  const meaning = (as: Phrase['as']) => phrases.find((phrase) => phrase.as === as)?.means;
  const [rarity, language, condition] = [
    meaning('rarity'),
    meaning('language'),
    meaning('condition'),
  ];
  const graded = phrases.find(({ grade }) => grade?.company && grade.number !== null);
  const year = Number(meaning('year'));
  const isOfGame = phrases.some(({ as, isFilter }) => as === 'game' && isFilter);
  const printing = printingOf(phrases);
  return {
    ...(rarity === undefined ? {} : { rarity }),
    ...(language === undefined ? {} : { language }),
    ...(condition === undefined ? {} : { condition }),
    ...(graded === undefined ? {} : { grade: graded.means }),
    ...(year > 0 ? { year } : {}),
    ...(game === undefined && isOfGame ? { game: card.set.game } : {}),
    ...(printing === '' ? {} : { printing }),
  };
}

function printingOf(phrases: readonly Phrase[]): string {
  const isPrinting = ({ as }: Phrase) => as === 'printing' || as === 'treatment';
  return phrases
    .filter(isPrinting)
    .map(({ means }) => means)
    .join(' ');
}
