import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Grade } from '../../src/domain/grade-names.ts';
import { compareGrades, gradeOf, isGrade, partsOfGrade } from '../../src/domain/grades.ts';

describe('The name of a grade', () => {
  for (const name of ['psa_1', 'psa_10', 'bgs_9_5', 'bgs_10_black_label', 'cgc_10_perfect']) {
    it(`${name} is made of its parts`, () => {
      const parts = partsOfGrade(name);
      assert.ok(parts);
      assert.equal(gradeOf(parts), name);
    });
  }

  for (const [name, why] of [
    ['xyz_10', 'no such company'],
    ['psa_10_5', 'above ten'],
    ['psa_11', 'above ten'],
    ['psa_10_black_label', 'a label of another company'],
    ['bgs_9_5_black_label', 'a label of less than ten'],
  ] as const) {
    it(`is not ${name}: ${why}`, () => assert.equal(isGrade(name), false));
  }
});

it('Grades are in the order of companies, from the best to the worst', () => {
  const ordered = ['psa_10', 'psa_9', 'bgs_10_black_label', 'bgs_10', 'bgs_9_5', 'cgc_10_perfect'];
  const grades = [...ordered, 'cgc_10_pristine', 'unknown'] as Grade[];
  assert.deepEqual(grades.toReversed().sort(compareGrades), grades);
});
