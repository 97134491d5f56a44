/** The names of grades. Pages load this file, so it does not need the table of companies. */

/** A company and its grade; `any_9` is a 9 that a source reports without the company. */
export type Grade = `${string}_${number}` | `${string}_${number}_5` | `${string}_10_${string}`;

/** The grades in the contract of the API. They have keys in every answer about a card. */
export const CONTRACT_GRADES = ['psa_10', 'psa_9', 'bgs_9_5', 'cgc_9_5'] as const;
export type ContractGrade = (typeof CONTRACT_GRADES)[number];

/** The grader for grades whose company a source does not give. */
export const ANY_GRADER = 'any';

/** The company, the whole number, the half and the label in the name of a grade. */
export const GRADE_NAME = /^([a-z]+)_(10|[1-9])(_5)?(?:_([a-z_]+))?$/;

/** Returns a grade as people write it: `PSA 10`, `BGS 9.5`, `CGC 10 Pristine`. */
export function formatGrade(grade: string): string {
  const [, company = '', whole, half, label] = GRADE_NAME.exec(grade) ?? [];
  if (whole === undefined) return grade;
  const number = half === undefined ? whole : `${whole}.5`;
  if (company === ANY_GRADER) return `${number} (any company)`;
  const words = label?.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return [company.toUpperCase(), number, ...(words ?? [])].join(' ');
}
