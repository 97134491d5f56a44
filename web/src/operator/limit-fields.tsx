import { FEATURES } from '../../../src/domain/plans.ts';
import type { LimitsParts } from '../../../src/operator/limits.ts';
import { Field, type Values } from '../ui/form.tsx';

/** Fields for the limits of a plan or of an account. Empty fields set nothing. */
export function LimitFields({ limits }: { limits: LimitsParts }) {
  const { dailyRequests, burst, historyDays } = limits;
  return (
    <>
      <Field
        name="daily"
        label="Requests per day"
        hint="A whole number, or “unlimited”."
        value={writeLimit(dailyRequests, 'unlimited')}
        maxLength={9}
        isOptional
      />
      <Field
        name="burst"
        label="Burst limit"
        hint="Requests in a number of seconds, such as “3/1s”, or “none”."
        value={writeLimit(burst && `${burst.requests}/${burst.seconds}s`, 'none')}
        maxLength={12}
        isOptional
      />
      <Field
        name="history"
        label="Days of history"
        hint="The number of past days that the account may read, or “all”."
        value={writeLimit(historyDays, 'all')}
        maxLength={6}
        isOptional
      />
      <Field
        name="features"
        label="Features"
        hint={`“all”, “none”, or some of ${FEATURES.join(', ')}.`}
        value={limits.features ? limits.features.join(', ') || 'none' : ''}
        maxLength={200}
        isOptional
      />
    </>
  );
}

/** Formats a limit for its field. `none` is the word for no limit. */
function writeLimit(value: string | number | null | undefined, none: string): string {
  if (value === undefined) return '';
  return value === null ? none : String(value);
}

/**
 * Reads the fields into the body of a call.
 *
 * @throws Error if a number or a burst limit is invalid.
 */
export function readLimits(values: Values) {
  const { daily = '', burst = '', history = '', features = '' } = values;
  return {
    ...(daily.trim() && { dailyRequests: readNumber('Requests per day', daily, 'unlimited') }),
    ...(burst.trim() && { burst: readBurst(burst.trim()) }),
    ...(history.trim() && { historyDays: readNumber('Days of history', history, 'all') }),
    ...(features.trim() && { features: readFeatures(features.trim()) }),
  };
}

function readNumber(label: string, text: string, none: string): number | null {
  if (text.trim() === none) return null;
  const digits = text.replace(/[\s,]/g, '');
  if (/^\d+$/.test(digits)) return Number(digits);
  throw new Error(`${label} must be a whole number, or “${none}”.`);
}

function readBurst(text: string) {
  if (text === 'none') return null;
  const [, requests, seconds] = /^(\d+)\/(\d+)s$/.exec(text) ?? [];
  if (requests && seconds) return { requests: Number(requests), seconds: Number(seconds) };
  throw new Error('The burst limit must have the form “3/1s”, or be “none”.');
}

function readFeatures(text: string): readonly string[] {
  if (text === 'all') return FEATURES;
  return text === 'none' ? [] : text.split(/[\s,]+/);
}
