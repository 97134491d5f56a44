import { OperatorError } from '../../domain/errors.ts';
import type { Observation } from '../../domain/observation.ts';
import { GRADES, type Grade } from '../../domain/price.ts';

/**
 * Maps a served grade to the generic grade whose price stands in for it: `psa_9` to `grade_9`. A
 * generic grade, a nine of any company, is served only where the operator maps it.
 */
export type GradeMap = ReadonlyMap<Grade, GenericGrade>;

type GenericGrade = `grade_${number}` | `grade_${number}_5`;

const GENERIC = /^grade_(10|[1-9](?:_5)?)$/;

/**
 * Parses the operator's mapping of generic grades: `grade_9=psa_9`, `grade_9_5=cgc_9_5`.
 *
 * @throws OperatorError for anything but such pairs, and for pairs of two different grades.
 */
export function parseGrades(pairs: readonly string[]): GradeMap {
  const grades = new Map<Grade, GenericGrade>();
  for (const pair of pairs) {
    const [generic = '', name = '', ...more] = pair.split('=').map((part) => part.trim());
    const grade = GRADES.find((one) => one === name && isSameGrade(one, generic));
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

/** Whether a company's grade equals a generic one: `bgs_9_5` and `grade_9_5`. */
function isSameGrade(grade: Grade, generic: string): boolean {
  const [, level] = GENERIC.exec(generic) ?? [];
  return level !== undefined && grade === `${grade.split('_')[0]}_${level}`;
}

/** Adds the mapped generic grades to graded prices. A company's own price comes first. */
export function withMappedGrades(
  graded: Observation['graded'],
  grades: GradeMap,
): Observation['graded'] {
  const mapped: Partial<Record<Grade, Observation['graded'][Grade]>> = {};
  for (const [grade, generic] of grades) {
    const amount = graded[generic];
    if (amount !== undefined) mapped[grade] = amount;
  }
  return { ...mapped, ...graded };
}
