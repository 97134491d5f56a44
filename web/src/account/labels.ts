import type { Feature } from '../../../src/domain/plans.ts';

/** The browsers' names for themselves. Special ones come before the names that they contain. */
const BROWSERS: readonly [RegExp, string][] = [
  [/\bEdg(?:A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.* Safari\//, 'Safari'],
];

const SYSTEMS: readonly [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

/** A browser in words, such as `Firefox on Windows`, from its name for itself. */
export function browserName(userAgent: string): string {
  const nameOf = (names: readonly [RegExp, string][]) =>
    names.find(([pattern]) => pattern.test(userAgent))?.[1];
  const browser = nameOf(BROWSERS) ?? 'another program';
  const system = nameOf(SYSTEMS);
  return system === undefined ? browser : `${browser} on ${system}`;
}

/** The features that only some plans include. */
export const FEATURE_LABELS: Readonly<Record<Feature, string>> = {
  history: 'The price history of every printing',
  batch: 'Many cards in one call',
  resolve: 'Find the cards in decklists, listing titles and other text',
  explain: 'The sources behind each price',
  'explain-match': 'The reason for each search result',
  'marketplace-changes': 'Changes of marketplace',
};
