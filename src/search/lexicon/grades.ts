import type { Entry } from './entry.ts';
import type { GradeReading } from './phrase.ts';

/** Grading companies, with what people write for them. */
const COMPANIES: readonly (readonly [company: string, words: string])[] = [
  ['ACE', 'ace'],
  ['AOG', 'aog'],
  ['BGS', 'bgs, beckett'],
  ['CGC', 'cgc'],
  ['GMA', 'gma'],
  ['HGA', 'hga'],
  ['KSA', 'ksa'],
  ['PCA', 'pca'],
  ['PSA', 'psa'],
  ['SGC', 'sgc'],
  ['TAG', 'tag'],
];

/** The companies whose names mean a grade without a number too; others are words of names. */
const SURE_COMPANIES = ['BGS', 'CGC', 'PSA', 'SGC'];

/** What companies call their grades, with the number where the label decides it. */
const LABELS: readonly (readonly [label: string, words: string, number: number | null])[] = [
  ['Black Label', 'black label', 10],
  ['Gem Mint', 'gem mint, gem mt, gem-mt', 10],
  ['Mint', 'mint, mt', null],
  ['NM-MT', 'nm mt, nm mint', null],
  ['Pristine', 'pristine', null],
];

const NUMBERS = [1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 5.5, 6, 6.5, 7, 7.5, 8, 8.5, 9, 9.5, 10];

/** Grades: `PSA 10`, `psa10`, `gem mint`, `mint 9`, and whether a card is graded at all. */
export const GRADES: readonly Entry[] = [
  grade('Graded', 'graded, slab, slabs, slabbed', null, null),
  grade('Ungraded', 'raw, ungraded', null, null),
  ...COMPANIES.flatMap(([company, words]) => gradesOf(company, words)),
  ...LABELS.flatMap(([label, words, number]) => labelGrades(label, words, number)),
];

/** Returns every grade of a company, its halves and its name alone. */
function gradesOf(company: string, words: string): Entry[] {
  const alone = SURE_COMPANIES.includes(company) ? [grade(company, words, company, null)] : [];
  return [...alone, ...NUMBERS.map((number) => companyGrade(company, words, number))];
}

function companyGrade(company: string, words: string, number: number): Entry {
  const written = words.split(', ').flatMap((name) => [`${name} ${number}`, `${name}${number}`]);
  return grade(`${company} ${number}`, written.join(', '), company, number);
}

function labelGrades(label: string, words: string, number: number | null): Entry[] {
  const numbered = (value: number) => {
    const written = words.split(', ').map((name) => `${name} ${value}`);
    return grade(`${label} ${value}`, written.join(', '), null, value);
  };
  const alone = number === null ? [] : [grade(label, words, null, number)];
  return [...alone, ...[8, 8.5, 9, 9.5, 10].map(numbered)];
}

function grade(
  means: string,
  words: string,
  company: GradeReading['company'],
  number: GradeReading['number'],
): Entry {
  return { as: 'grade', means, words, grade: { company, number } };
}
