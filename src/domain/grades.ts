import { ANY_GRADER, GRADE_NAME, type Grade } from './grade-names.ts';

/**
 * The companies that grade cards and the grades that they give. A grade is named by its company
 * and level: `psa_8`, `bgs_9_5`, `bgs_10_black_label`.
 */

/** A company that grades cards. */
export interface Grader {
  readonly slug: string;
  readonly name: string;
  /** Other words for it in listings. */
  readonly nickname?: string;
  /** Whether its name is also a word in card names, and therefore needs a number. */
  readonly isWord?: true;
  /** Labels that make a 10 a better grade than the company's plain 10. */
  readonly labels?: readonly string[];
}

/** In the order in which grades are shown. */
export const GRADERS: readonly Grader[] = [
  { slug: 'psa', name: 'PSA' },
  { slug: 'bgs', name: 'BGS', nickname: 'beckett', labels: ['Black Label'] },
  { slug: 'cgc', name: 'CGC', labels: ['Pristine', 'Perfect'] },
  { slug: 'sgc', name: 'SGC', labels: ['Pristine'] },
  { slug: 'tag', name: 'TAG', isWord: true, labels: ['Pristine'] },
  { slug: 'ace', name: 'ACE', isWord: true },
  { slug: 'aog', name: 'AOG', isWord: true },
  { slug: 'gma', name: 'GMA', isWord: true },
  { slug: 'hga', name: 'HGA', isWord: true },
  { slug: 'ksa', name: 'KSA', isWord: true },
  { slug: 'pca', name: 'PCA', isWord: true },
  { slug: ANY_GRADER, name: 'Any company' },
];

/** The numbers that graders give, from 1 to 10 in steps of a half. */
export const GRADE_NUMBERS: readonly number[] = Array.from({ length: 19 }, (_, i) => 1 + i / 2);

/** The parts of a grade. */
export interface GradeParts {
  readonly grader: Grader;
  readonly number: number;
  /** One of the grader's labels; undefined for the plain grade. */
  readonly label: string | undefined;
}

/** Returns the parts of a grade's name; undefined if there is no such grade. */
export function partsOfGrade(name: string): GradeParts | undefined {
  const [, slug, whole, half, labelSlug] = GRADE_NAME.exec(name) ?? [];
  const grader = GRADERS.find((one) => one.slug === slug);
  const number = Number(whole) + (half === undefined ? 0 : 0.5);
  if (!grader || number > 10) return undefined;
  if (labelSlug === undefined) return { grader, number, label: undefined };
  const label = grader.labels?.find((one) => slugOf(one) === labelSlug);
  return label !== undefined && number === 10 ? { grader, number, label } : undefined;
}

export function isGrade(name: string): name is Grade {
  return partsOfGrade(name) !== undefined;
}

/** Returns the name of a grade: `bgs_9_5`, or `bgs_10_black_label` with a label. */
export function gradeOf({ grader, number, label }: GradeParts): Grade {
  return `${grader.slug}_${levelOfGrade({ grader, number, label }).replace('.', '_')}` as Grade;
}

/** Returns the names of the grades of a company above its plain 10. */
export function labelledTens(grader: Grader): Grade[] {
  return (grader.labels ?? []).map((label) => gradeOf({ grader, number: 10, label }));
}

function slugOf(label: string): string {
  return label.toLowerCase().replace(' ', '_');
}

/** Returns a grade without its company: `9.5`, `10_black_label`. */
export function levelOfGrade({ number, label }: GradeParts): string {
  return label === undefined ? String(number) : `${number}_${slugOf(label)}`;
}

/** Orders grades by company, and then from the highest to the lowest. */
export function compareGrades(a: Grade, b: Grade): number {
  const [one, other] = [partsOfGrade(a), partsOfGrade(b)];
  if (!one || !other) return one ? -1 : other ? 1 : 0;
  const byGrader = GRADERS.indexOf(one.grader) - GRADERS.indexOf(other.grader);
  return byGrader || other.number - one.number || labelRank(other) - labelRank(one);
}

/** The rank of a label: 0 without one. */
function labelRank({ grader, label }: GradeParts): number {
  return label === undefined ? 0 : 1 + (grader.labels?.indexOf(label) ?? 0);
}
