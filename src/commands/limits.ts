import { Option } from 'commander';
import { parseBurstLimit, wholeNumber } from '../config/parsers.ts';
import { OperatorError } from '../domain/errors.ts';
import {
  type AccountLimits,
  type BurstLimit,
  FEATURES,
  MOST_ALERTS,
  UNLIMITED,
} from '../domain/plans.ts';
import { splitList } from '../lib/csv.ts';
import { formatCount } from './output.ts';

/** The options that set the limits of plans and accounts, as commander parses them. */
export interface LimitFlags {
  readonly daily?: string;
  readonly burst?: string;
  readonly historyDays?: string;
  readonly features?: string;
  readonly alerts?: string;
}

/** Returns these options for a command. */
export function limitOptions(): Option[] {
  const features = FEATURES.join(', ');
  return [
    new Option('--daily <requests>', 'Requests a day (UTC): a whole number, or `unlimited`.'),
    new Option(
      '--burst <limit>',
      'Requests within a few seconds, such as 3/1s, or `none` for no limit.',
    ),
    new Option(
      '--history-days <days>',
      'Days of history that the API answers, or `all`. Pages show this much on every plan.',
    ),
    new Option('--features <list>', `Separated by commas, or \`all\` or \`none\`: ${features}.`),
    new Option('--alerts <number>', 'Alerts on prices that an account may have.'),
  ];
}

/**
 * Returns only the limits that flags name.
 *
 * @throws OperatorError that names the first flag whose value is not allowed.
 */
export function parseLimits(flags: LimitFlags): AccountLimits {
  const { daily, burst, historyDays, features, alerts } = flags;
  return {
    ...(daily !== undefined && { dailyRequests: parseDaily(daily) }),
    ...(burst !== undefined && { burst: parseBurst(burst) }),
    ...(historyDays !== undefined && { historyDays: parseHistoryDays(historyDays) }),
    ...(features !== undefined && { features: parseFeatures(features) }),
    ...(alerts !== undefined && { alerts: parseAlerts(alerts) }),
  };
}

/** Formats a quota for people: `10,000`, or `unlimited`. */
export function formatQuota({ dailyRequests }: { readonly dailyRequests: number }): string {
  return dailyRequests === UNLIMITED ? 'unlimited' : formatCount(dailyRequests);
}

/** Formats a burst limit as in flags: `3/1s`, or `none`. */
export function formatBurst(burst: BurstLimit | null): string {
  return burst === null ? 'none' : `${burst.requests}/${burst.seconds}s`;
}

function parseDaily(text: string): number {
  if (text === 'unlimited') return UNLIMITED;
  return (
    wholeNumber(text, 0, 999_999_999) ??
    refuse('--daily', text, 'a whole number of requests, or unlimited')
  );
}

function parseBurst(text: string): BurstLimit | null {
  if (text === 'none') return null;
  return parseBurstLimit(text) ?? refuse('--burst', text, 'a limit such as 3/1s, or none');
}

function parseHistoryDays(text: string): number | null {
  if (text === 'all') return null;
  return wholeNumber(text, 1, 36_500) ?? refuse('--history-days', text, 'a number of days, or all');
}

function parseFeatures(text: string): AccountLimits['features'] & object {
  if (text === 'all') return FEATURES;
  if (text === 'none') return [];
  const names = splitList(text);
  const known = FEATURES.filter((feature) => names.includes(feature));
  const isKnown = names.every((name) => (FEATURES as readonly string[]).includes(name));
  return isKnown
    ? known
    : refuse('--features', text, `all, none, or some of ${FEATURES.join(', ')}`);
}

function parseAlerts(text: string): number {
  return (
    wholeNumber(text, 0, MOST_ALERTS) ??
    refuse('--alerts', text, `a whole number up to ${formatCount(MOST_ALERTS)}`)
  );
}

function refuse(flag: string, text: string, allowed: string): never {
  throw new OperatorError(`${flag} "${text}" is not allowed; it must be ${allowed}.`);
}
