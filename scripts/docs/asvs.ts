import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { table } from './table.ts';

const VERDICTS = ['holds', 'holds with the operator', 'fails', 'not applicable'] as const;

export type Verdict = (typeof VERDICTS)[number];

/** A requirement of the standard, in our words. */
export interface Requirement {
  /** Chapter, section and position, such as `6.2.1`. */
  readonly number: string;
  readonly level: number;
  readonly verdict: Verdict;
  readonly requirement: string;
  /** How it is met, why it fails and how it is compensated, or why it does not apply. */
  readonly how: string;
  /** Paths of the tests that prove it. */
  readonly tests: readonly string[];
}

const LIST = new URL('asvs.tsv', import.meta.url);

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

/** Reads every requirement of levels 1 and 2, in the order of the standard. */
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
  return VERDICTS.some((verdict) => verdict === text);
}

/** Returns the page of all requirements. Links lead into the checkout. */
export function asvsPage(): string {
  const requirements = readRequirements();
  const chapters = CHAPTERS.map((title, index) => {
    const rows = requirements.filter(({ number }) => number.startsWith(`${index + 1}.`));
    return chapterSection(`V${index + 1} ${title}`, rows);
  });
  return `# Requirements of ASVS 5.0

[OWASP ASVS 5.0.0](https://github.com/OWASP/ASVS/tree/v5.0.0/5.0/en) is under
[CC BY-SA 4.0](https://creativecommons.org/licenses/by-sa/4.0/). The numbers are its own; the words are
ours and only say what a requirement is about. [security.md](../../docs/security.md#asvs) sums up the
results.

${chapters.join('\n')}`;
}

function chapterSection(title: string, requirements: readonly Requirement[]): string {
  const header = ['', 'level', 'what', 'verdict', 'how, or why not', 'tests'];
  return `## ${title}\n\n${table(header, requirements.map(row))}\n`;
}

function row({ number, level, verdict, requirement, how, tests }: Requirement): string[] {
  const links = tests.map((path) => `[${basename(path, '.test.ts')}](../../${path})`).join(', ');
  const linked = how.replaceAll('](#', '](../../docs/security.md#');
  return [number, String(level), requirement, verdict, linked, links];
}
