import type { Condition } from '../domain/price.ts';
import { foldText } from '../domain/text.ts';

const CONDITIONS: readonly (readonly [Condition, string])[] = [
  ['near_mint', 'nm|mint|m|nearmint|nmmt|nmm|mintnearmint|nearmintmint|nmlp|packfresh'],
  [
    'lightly_played',
    'lp|ex|exc|excellent|lightlyplayed|lightplay|lightplayed|slightlyplayed|sp|gd',
  ],
  ['moderately_played', 'mp|moderatelyplayed|moderateplay|good|played|pl'],
  ['heavily_played', 'hp|heavilyplayed|heavyplay|poor'],
  ['damaged', 'dmg|d|damaged'],
];
const BY_WORD = new Map(
  CONDITIONS.flatMap(([condition, words]) => words.split('|').map((word) => [word, condition])),
);

/** Returns the condition that a text means; null where there is none or it is not known. */
export function readCondition(text: string | undefined): Condition | null {
  if (text === undefined) return null;
  return (BY_WORD.get(foldText(text).replace(/foil$/, '')) as Condition | undefined) ?? null;
}

const GRADE = /\b(PSA|BGS|CGC|SGC|TAG|ACE)[\s:_-]*(?:[A-Z-]+ ){0,3}(\d{1,2}(?:\.5)?)(?![\d.])/i;

/** Returns the grade that a text means as its company writes it: `PSA 10`; null where none is. */
export function readGrade(text: string | undefined): string | null {
  const [, company, grade] = GRADE.exec(text?.slice(0, 100) ?? '') ?? [];
  if (company === undefined || grade === undefined) return null;
  const points = Number(grade);
  return points >= 1 && points <= 10 ? `${company.toUpperCase()} ${points}` : null;
}
