import { Type } from 'typebox';
import type { CopyName } from '../../domain/copy.ts';
import type { Grade } from '../../domain/grade-names.ts';
import { GRADERS, isGrade, labelledTens } from '../../domain/grades.ts';
import { CONDITIONS, type Condition } from '../../domain/price.ts';
import { invalidParameter } from '../errors.ts';
import { shown } from '../validation.ts';

/** The parameters that name a condition or a grade. */

export const CopyParameters = {
  grade: Type.Optional(
    Type.String({
      description: 'A grade such as `psa_9` or `bgs_10_black_label`, instead of the figures.',
      minLength: 1,
      maxLength: 40,
      examples: ['psa_9'],
    }),
  ),
  condition: Type.Optional(
    Type.String({
      description: 'A condition such as `near_mint`, instead of the figures.',
      minLength: 1,
      maxLength: 40,
      examples: ['lightly_played'],
    }),
  ),
};

interface AskedCopy {
  readonly grade?: string | undefined;
  readonly condition?: string | undefined;
}

/**
 * Returns the condition or grade that a request asks for; undefined for the figures.
 *
 * @throws ApiError INVALID_PARAMETER for an unknown one, or for both.
 */
export function askedCopy({ grade, condition }: AskedCopy): CopyName | undefined {
  if (grade === undefined) return condition === undefined ? undefined : conditionOf(condition);
  if (condition === undefined) return gradeOf(grade);
  const message = 'A copy has a grade or a condition: send "grade" or "condition", not both.';
  throw invalidParameter('condition', message);
}

function conditionOf(text: string): Condition {
  const condition = CONDITIONS.find((one) => one === text);
  if (condition) return condition;
  const allowed = `it must be one of ${CONDITIONS.join(', ')}.`;
  throw invalidParameter('condition', `"${shown(text)}" is not a condition; ${allowed}`);
}

function gradeOf(text: string): Grade {
  if (isGrade(text)) return text;
  throw invalidParameter('grade', `"${shown(text)}" is not a grade; it must be ${GRADE_HINT}.`);
}

const GRADE_HINT =
  `a company (${GRADERS.map(({ slug }) => slug).join(', ')}) and a number from 1 to 10 in steps ` +
  'of a half, such as psa_9 or bgs_9_5, or one of ' +
  GRADERS.flatMap(labelledTens).join(', ');
