import type { NamedCopy } from '../domain/copy.ts';
import type { Grade } from '../domain/grade-names.ts';
import { parseGrade } from '../domain/grade-spellings.ts';
import type { Condition } from '../domain/price.ts';
import { overlap, type Phrase, readText, type Text } from '../search/index.ts';

/** Reads which copy of a card an item means: its condition or its grade. */

/** Only this many characters of a condition or a grade are read. */
const LONGEST = 60;

/** Reads an item's condition or grade. Programs also write grades and printings as conditions. */
export function readState(text: string | undefined): Text {
  return readText((text ?? '').slice(0, LONGEST));
}

/** The words of an item about its copy, as typed. */
interface CopyWords {
  readonly condition?: string | undefined;
  readonly grade?: string | undefined;
}

/** Returns the copy that an item's condition and grade mean. */
export function readCopy({ condition, grade }: CopyWords): NamedCopy {
  const state = readState(condition);
  const named = conditionIn(state) ?? null;
  const inGrade = grade ?? (isGraded(state) ? condition : undefined);
  if (isSaid(inGrade) && !isUngraded(inGrade)) return ofGrade(inGrade, named);
  if (named !== null || !isSaid(condition)) return { condition: named, grade: null };
  return { condition: null, grade: null, unclear: unclearText(condition, 'one condition') };
}

function ofGrade(text: string, condition: Condition | null): NamedCopy {
  const grade = parseGrade(text) ?? onlyGradeIn(readState(text));
  if (grade !== undefined) return { condition, grade };
  return { condition, grade: null, unclear: unclearText(text, 'one grade of one company') };
}

function unclearText(text: string, what: string): string {
  const shown = text.trim().slice(0, LONGEST);
  return `"${shown}" is not ${what}, so its price is not known.`;
}

function isSaid(text: string | undefined): text is string {
  return text !== undefined && text.trim() !== '';
}

/** Abbreviations that mean a condition only in a column of conditions. */
const IN_COLUMNS: ReadonlyMap<string, Condition> = new Map([
  ['m', 'near_mint'],
  ['mt', 'near_mint'],
  ['ex', 'lightly_played'],
  ['good', 'moderately_played'],
  ['played', 'heavily_played'],
  ['pl', 'heavily_played'],
  ['po', 'damaged'],
  ['d', 'damaged'],
]);

/** Returns the condition that a text means; undefined for none, or several. */
function conditionIn(text: Text): Condition | undefined {
  const alone = IN_COLUMNS.get(text.words.join(''));
  return alone ?? only(longest(text, 'condition').map(({ condition }) => condition));
}

/** Whether a text names a grade, rather than stating that a card has none. */
function isGraded(text: Text): boolean {
  return longest(text, 'grade').some(({ means }) => means !== UNGRADED);
}

const UNGRADED = 'Ungraded';

function isUngraded(text: string): boolean {
  if (/^(?:not graded|none|no|-)$/i.test(text.trim())) return true;
  const said = longest(readState(text), 'grade');
  return said.length > 0 && said.every(({ means }) => means === UNGRADED);
}

/** Marks of PSA that make a copy cheaper than its number: off-centre, marks, stains. */
const QUALIFIER = /^(?:oc|mc|mk|st|pd)$/;

/** Returns the grade of a text that also has other words; undefined if it has several, or none. */
function onlyGradeIn(text: Text): Grade | undefined {
  if (text.words.some((word) => QUALIFIER.test(word))) return undefined;
  return only(longest(text, 'grade').flatMap(({ means }) => parseGrade(means) ?? []));
}

function only<Value>(values: readonly Value[]): Value | undefined {
  return new Set(values).size === 1 ? values[0] : undefined;
}

/** Returns the phrases of a kind, without those that a longer one of the kind overlaps. */
function longest({ phrases }: Text, kind: Phrase['as']): Phrase[] {
  const chosen: Phrase[] = [];
  const own = phrases.filter(({ as }) => as === kind);
  for (const phrase of own.toSorted((a, b) => b.to - b.from - (a.to - a.from))) {
    if (!chosen.some((other) => overlap(phrase, other))) chosen.push(phrase);
  }
  return chosen;
}

/** Returns the copy that a text of an unknown card means. */
export function copyOfText(text: Text): NamedCopy {
  const grade = gradeWords(text, longest(text, 'grade'));
  const [condition] = longest(text, 'condition');
  return readCopy({
    ...(grade !== undefined && { grade }),
    ...(condition && { condition: conditionWords(condition) }),
  });
}

/** Returns a condition as a text for {@link readCopy}, which knows more words than titles have. */
export function conditionWords({ means, condition }: Phrase): string {
  return condition ? means : `${means} condition`;
}

/**
 * Returns the words of a title about the grade, the company first, for {@link readCopy}. Undefined
 * if it has none.
 */
export function gradeWords(title: Text, phrases: readonly Phrase[]): string | undefined {
  const graded = phrases.filter(({ as }) => as === 'grade');
  if (graded.length === 0) return undefined;
  const rank = ({ grade, from }: Phrase) => from + (grade?.company ? 0 : title.words.length);
  const byCompany = graded.toSorted((a, b) => rank(a) - rank(b));
  return byCompany.map((phrase) => title.wordsIn(withQualifier(title, phrase))).join(' ');
}

function withQualifier({ words }: Text, { from, to }: Phrase): { from: number; to: number } {
  return { from, to: QUALIFIER.test(words[to] ?? '') ? to + 1 : to };
}
