import type { Entry, GradeReading } from './phrase.ts';

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

/** What companies call their grades, with the numbers that these names stand for. */
const LABELS: readonly (readonly [label: string, words: string, numbers: readonly number[]])[] = [
  ['Gem Mint', 'gem mint, gem mt', [9.5, 10]],
  ['Mint', 'mint', [9, 9.5, 10]],
  ['NM-MT', 'nm mt, nm mint', [8, 8.5]],
  ['Perfect', 'perfect', [10]],
  ['Pristine', 'pristine', [10]],
];

const NUMBERS = [1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 5.5, 6, 6.5, 7, 7.5, 8, 8.5, 9, 9.5, 10];

/** Returns the entries of grades: `PSA 10`, `psa10`, `gem mint`, `mint 9`, `slabbed`, `raw`. */
export function gradeEntries(): Entry[] {
  return [
    grade('Graded', 'graded, slab, slabs, slabbed', null, null),
    grade('Ungraded', 'raw, ungraded', null, null),
    grade('Black Label', 'black label', 'BGS', 10),
    grade('Gem Mint', 'gem mint, gem mt', null, null),
    ...COMPANIES.flatMap(([company, words]) => gradesOf(company, words)),
    ...LABELS.flatMap(([label, words, numbers]) => labelGrades(label, words, numbers)),
  ];
}

/** Returns every grade of a company, its halves and its name alone. */
function gradesOf(company: string, words: string): Entry[] {
  const alone = SURE_COMPANIES.includes(company) ? [grade(company, words, company, null)] : [];
  return [...alone, ...NUMBERS.map((number) => companyGrade(company, words, number))];
}

function companyGrade(company: string, words: string, number: number): Entry {
  const written = words.split(', ').flatMap((name) => [`${name} ${number}`, `${name}${number}`]);
  return grade(`${company} ${number}`, written.join(', '), company, number);
}

function labelGrades(label: string, words: string, numbers: readonly number[]): Entry[] {
  return numbers.map((number) => {
    const written = words.split(', ').map((name) => `${name} ${number}`);
    return grade(`${label} ${number}`, written.join(', '), null, number);
  });
}

function grade(
  means: string,
  words: string,
  company: GradeReading['company'],
  number: GradeReading['number'],
): Entry {
  return { as: 'grade', means, words, grade: { company, number } };
}
