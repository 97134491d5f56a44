import { FEATURES } from '../../../src/domain/plans.ts';
import type { LimitsParts } from '../../../src/operator/limits.ts';
import { Field } from '../ui/form.tsx';

/** Fields for what a plan includes, or what an account has otherwise; empty ones say nothing. */
export function LimitFields({ limits }: { limits: LimitsParts }) {
  const { dailyRequests, burst, historyDays } = limits;
  return (
    <>
      <LimitField
        name="daily"
        label="Requests a day"
        hint="A whole number, or “unlimited”."
        value={writeLimit(dailyRequests, 'unlimited')}
        maxLength={9}
      />
      <LimitField
        name="burst"
        label="Burst limit"
        hint="Requests within some seconds, such as “3/1s”, or “none”."
        value={writeLimit(burst && `${burst.requests}/${burst.seconds}s`, 'none')}
        maxLength={12}
      />
      <LimitField
        name="history"
        label="Days of history"
        hint="How many days back it may be read, or “all”."
        value={writeLimit(historyDays, 'all')}
        maxLength={6}
      />
      <LimitField
        name="features"
        label="Features"
        hint={`“all”, “none”, or some of ${FEATURES.join(', ')}.`}
        value={limits.features ? limits.features.join(', ') || 'none' : ''}
        maxLength={200}
      />
    </>
  );
}

type LimitFieldProps = Pick<
  Parameters<typeof Field>[0],
  'name' | 'label' | 'hint' | 'value' | 'maxLength'
>;

function LimitField(props: LimitFieldProps) {
  return <Field {...props} autocomplete="off" isOptional />;
}

/** What the field of a limit shows: the word for no limit, or nothing where none is given. */
function writeLimit(value: string | number | null | undefined, none: string): string {
  if (value === undefined) return '';
  return value === null ? none : String(value);
}

/**
 * What the fields say, as calls take it.
 *
 * @throws Error when a number or a burst limit is none.
 */
export function readLimits(values: Record<string, string>) {
  const { daily = '', burst = '', history = '', features = '' } = values;
  return {
    ...(daily.trim() && { dailyRequests: readNumber('Requests a day', daily, 'unlimited') }),
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
  throw new Error('The burst limit must be such as “3/1s”, or “none”.');
}

function readFeatures(text: string): readonly string[] {
  if (text === 'all') return FEATURES;
  return text === 'none' ? [] : text.split(/[\s,]+/);
}
