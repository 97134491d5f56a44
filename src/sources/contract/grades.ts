import { OperatorError } from '../../domain/errors.ts';
import type { Observation } from '../../domain/observation.ts';
import { GRADES, type Grade } from '../../domain/price.ts';

/**
 * By a grade that is served, the generic one whose price is taken for it: `psa_9` from `grade_9`.
 * A nine of no particular company is nobody's nine unless the operator says so.
 */
export type GradeMap = ReadonlyMap<Grade, GenericGrade>;

type GenericGrade = `grade_${number}` | `grade_${number}_5`;

const GENERIC = /^grade_(10|[1-9](?:_5)?)$/;

/**
 * Reads what the operator says that generic grades are: `grade_9=psa_9`, `grade_9_5=cgc_9_5`.
 *
 * @throws OperatorError for what is no such pair, or pairs two different grades.
 */
export function parseGrades(pairs: readonly string[]): GradeMap {
  const grades = new Map<Grade, GenericGrade>();
  for (const pair of pairs) {
    const [generic = '', name = '', ...more] = pair.split('=').map((part) => part.trim());
    const grade = GRADES.find((one) => one === name && isGrade(one, generic));
    if (grade === undefined || more.length > 0 || grades.has(grade)) {
      throw new OperatorError(
        `--grade "${pair}" is not <generic grade>=<the same grade of a company>, each company's ` +
          `once, such as grade_9=psa_9; the companies' grades are ${GRADES.join(', ')}.`,
      );
    }
    grades.set(grade, generic as GenericGrade);
  }
  return grades;
}

/** Whether a company's grade is as high as a generic one: `bgs_9_5` as `grade_9_5`. */
function isGrade(grade: Grade, generic: string): boolean {
  const [, height] = GENERIC.exec(generic) ?? [];
  return height !== undefined && grade === `${grade.split('_')[0]}_${height}`;
}

/** Graded prices, with those that the operator takes from generic ones. A company's own wins. */
export function withGrades(graded: Observation['graded'], grades: GradeMap): Observation['graded'] {
  const taken: Partial<Record<Grade, Observation['graded'][Grade]>> = {};
  for (const [grade, generic] of grades) {
    const amount = graded[generic];
    if (amount !== undefined) taken[grade] = amount;
  }
  return { ...taken, ...graded };
}
