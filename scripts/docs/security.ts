import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

/** The verdicts on a requirement, with what each means. */
const VERDICTS = {
  holds: 'hold in every installation',
  'holds with the operator':
    'hold once the operator has done [their part](#what-the-operator-must-do)',
  fails: 'fail',
  'not applicable': 'are about what Cardprice does not have',
} as const;

export type Verdict = keyof typeof VERDICTS;

/** A requirement of the standard, in our words. */
export interface Requirement {
  /** Chapter, section and place, as in `6.2.1`. */
  readonly number: string;
  readonly level: number;
  readonly verdict: Verdict;
  readonly requirement: string;
  /** How it holds, why it fails and what there is instead, or why it does not apply. */
  readonly how: string;
  /** Paths of the tests that show it. */
  readonly tests: readonly string[];
}

const LIST = new URL('asvs.tsv', import.meta.url);
const PAGE = new URL('../../docs/security.md', import.meta.url);

/** What is above this in the page is written by hand. */
const MARK = '<!-- What follows is generated from scripts/docs/asvs.tsv: npm run docs -->\n';

const CHAPTERS = [
  'Encoding and sanitisation',
  'Validation and business logic',
  'Pages in browsers',
  'API and web service',
  'Files',
  'Authentication',
  'Sessions',
  'Authorisation',
  'Self-contained tokens',
  'OAuth and OpenID Connect',
  'Cryptography',
  'Communication',
  'Configuration',
  'Data protection',
  'Coding and architecture',
  'Logs and errors',
  'WebRTC',
];

/** Every requirement of levels 1 and 2, in the order of the standard. */
export function readRequirements(): readonly Requirement[] {
  const [, ...lines] = readFileSync(LIST, 'utf8').trimEnd().split('\n');
  return lines.map((line) => {
    const [number = '', level, verdict = '', requirement = '', how = '', tests = ''] =
      line.split('\t');
    if (!isVerdict(verdict)) throw new Error(`${number} has the verdict "${verdict}"`);
    const paths = tests.split(' ').filter((path) => path !== '');
    return { number, level: Number(level), verdict, requirement, how, tests: paths };
  });
}

function isVerdict(text: string): text is Verdict {
  return Object.hasOwn(VERDICTS, text);
}

/** The page about security: what is written by hand, and the list after it. */
export function securityPage(): string {
  const [byHand = ''] = readFileSync(PAGE, 'utf8').split(MARK);
  const requirements = readRequirements();
  const chapters = CHAPTERS.map((title, index) => {
    const number = index + 1;
    const rows = requirements.filter((row) => row.number.startsWith(`${number}.`));
    return chapterSection(`V${number} ${title}`, rows);
  });
  return [byHand + MARK, summary(requirements), ...chapters].join('\n');
}

function summary(requirements: readonly Requirement[]): string {
  const counts = Object.entries(VERDICTS).map(([verdict, meaning]) => {
    const { length } = requirements.filter((row) => row.verdict === verdict);
    return `- **${length}** ${meaning}`;
  });
  const failing = requirements.filter(({ verdict }) => verdict === 'fails');
  return `## The requirements of ASVS 5.0

[OWASP ASVS 5.0.0](https://github.com/OWASP/ASVS/tree/v5.0.0/5.0/en) is under
[CC BY-SA 4.0](https://creativecommons.org/licenses/by-sa/4.0/). Its numbers are here, as v5.0.0-6.2.1
for the row 6.2.1, with a few words of ours for what each is about; its texts say exactly what. Of the
${requirements.length} requirements of levels 1 and 2

${counts.join('\n')}

What fails, why, and what there is instead:

${failing.map(({ number, requirement, how }) => `- **${number}, ${requirement}.** ${how}`).join('\n')}
`;
}

function chapterSection(title: string, rows: readonly Requirement[]): string {
  const lines = rows.map(({ number, level, verdict, requirement, how, tests }) => {
    const links = tests.map((path) => `[${basename(path, '.test.ts')}](../${path})`).join(', ');
    return `| ${number} | ${level} | ${requirement} | ${verdict} | ${how} | ${links} |`;
  });
  return `### ${title}

| | level | what | verdict | how, or why not | tests |
|---|---|---|---|---|---|
${lines.join('\n')}
`;
}
