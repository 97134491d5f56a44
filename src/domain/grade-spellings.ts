import { ANY_GRADER, type Grade } from './grade-names.ts';
import { GRADE_NUMBERS, GRADERS, type GradeParts, type Grader, gradeOf } from './grades.ts';
import { foldWords } from './text.ts';

/** Grades as people write them. */

/** The companies' words for numbers. They repeat the number and have no further meaning. */
const WORDS: readonly (readonly [words: readonly string[], numbers: readonly number[]])[] = [
  [
    ['gem mint', 'gem mt', 'gem'],
    [9.5, 10],
  ],
  [
    ['mint', 'mt'],
    [9, 9.5, 10],
  ],
  [
    ['nm mt', 'nm mint', 'near mint mint'],
    [8, 8.5],
  ],
  [
    ['nm', 'near mint'],
    [7, 7.5],
  ],
  [
    ['ex mt', 'ex mint', 'ex nm', 'excellent mint'],
    [6, 6.5],
  ],
  [
    ['ex', 'excellent'],
    [5, 5.5],
  ],
  [
    ['vg ex', 'very good excellent'],
    [4, 4.5],
  ],
  [
    ['vg', 'very good'],
    [3, 3.5],
  ],
  [
    ['good', 'gd'],
    [2, 2.5],
  ],
  [['fair', 'fr'], [1.5]],
  [['poor', 'pr'], [1]],
];

/** Words of a label that a company uses for its plain 10. */
const PLAIN_LABELS: Readonly<Record<string, readonly string[]>> = { bgs: ['pristine'] };

/** Words that may stand between a company and its number, or alone with a grade. */
const GRADED = /^(?:graded|grade|slab|slabbed)$/;

/** All grades of all companies, without those of unknown companies. */
export const COMPANY_GRADES: readonly GradeParts[] = GRADERS.flatMap((grader) => {
  if (grader.slug === ANY_GRADER) return [];
  const plain = GRADE_NUMBERS.map((number) => ({ grader, number, label: undefined }));
  return [...plain, ...(grader.labels ?? []).map((label) => ({ grader, number: 10, label }))];
});

/** Returns a plain grade as company and number, in folded words: `psa 10`, `psa10`. */
export function plainSpellings({ grader, number }: GradeParts): string[] {
  return namesOf(grader).flatMap((name) => [`${name} ${number}`, `${name}${number}`]);
}

/**
 * Returns how a grade is written in listings: `psa 10`, `psa gem mt 10`, `bgs black label 10`.
 */
export function spellingsOf(parts: GradeParts): string[] {
  const { grader, number, label } = parts;
  const names = namesOf(grader);
  if (label === undefined) {
    const words = wordsFor(grader, number);
    return [...plainSpellings(parts), ...names.flatMap((name) => worded(name, words, number))];
  }
  const word = label.toLowerCase();
  return names.flatMap((name) => [
    ...worded(name, [word], number),
    `${word} ${name} ${number}`,
    `${name} ${word}`,
  ]);
}

function worded(name: string, words: readonly string[], number: number): string[] {
  return words.flatMap((word) => [
    `${name} ${word} ${number}`,
    `${name} ${number} ${word}`,
    `${name}${number} ${word}`,
  ]);
}

/** The names of a company in lower case. */
export function namesOf({ name, nickname }: Grader): string[] {
  return [name.toLowerCase(), ...(nickname === undefined ? [] : [nickname])];
}

function wordsFor({ slug }: Grader, number: number): readonly string[] {
  const usual = WORDS.flatMap(([words, numbers]) => (numbers.includes(number) ? words : []));
  return number === 10 ? [...usual, ...(PLAIN_LABELS[slug] ?? [])] : usual;
}

/** All grades by their spellings, also with the number first: `10 psa`. */
const BY_SPELLING: ReadonlyMap<string, Grade> = new Map(
  COMPANY_GRADES.flatMap((parts) => {
    const { grader, number, label } = parts;
    const turned = label === undefined ? namesOf(grader).map((name) => `${number} ${name}`) : [];
    const all = [...spellingsOf(parts), ...turned];
    return all.map((spelling) => [foldWords(spelling).join(' '), gradeOf(parts)] as const);
  }),
);

/**
 * Returns the grade that a whole text means, such as `PSA 10`, `bgs_9_5` or `CGC Pristine 10`.
 * Undefined if the text also contains something else, such as a qualifier (`PSA 9 OC`).
 */
export function parseGrade(text: string): Grade | undefined {
  const words = foldWords(text.replace(/(\d)[.,]0(?!\d)/g, '$1'));
  const telling = words.filter((word) => !GRADED.test(word));
  return BY_SPELLING.get(telling.join(' '));
}
