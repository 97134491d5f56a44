import { FEATURES, type Feature } from '../../../src/domain/plans.ts';
import type { LimitsParts } from '../../../src/operator/limits.ts';
import { FEATURE_LABELS } from '../account/labels.ts';
import { Field, type Values } from '../ui/form.tsx';

interface LimitFieldsProps {
  readonly limits: LimitsParts;
  /** Whether the limits belong to an account, which may use the features of its plan. */
  readonly isOfAccount?: boolean;
}

/** Fields for the limits of a plan or of an account. Empty fields set nothing. */
export function LimitFields({ limits, isOfAccount = false }: LimitFieldsProps) {
  const { dailyRequests, burst, historyDays, features, alerts } = limits;
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
        hint="The most requests in a number of seconds, such as “3/1s”, or “none”."
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
        name="alerts"
        label="Alerts"
        hint="How many alerts on prices the account may have."
        value={alerts === undefined ? '' : String(alerts)}
        maxLength={7}
        isOptional
      />
      <fieldset class="checks">
        <legend>Features of the API</legend>
        {isOfAccount ? (
          <Check
            name={SETS_FEATURES}
            label="Set the features below instead of the plan's"
            isChecked={features !== undefined}
          />
        ) : (
          <input type="hidden" name={SETS_FEATURES} value="on" />
        )}
        {FEATURES.map((feature) => (
          <Check
            key={feature}
            name={nameOf(feature)}
            label={FEATURE_LABELS[feature]}
            isChecked={features?.includes(feature) ?? false}
          />
        ))}
      </fieldset>
    </>
  );
}

/** The name of the value that states whether the checkboxes of features count. */
const SETS_FEATURES = 'sets-features';

function nameOf(feature: Feature): string {
  return `feature-${feature}`;
}

interface CheckProps {
  readonly name: string;
  readonly label: string;
  readonly isChecked: boolean;
}

function Check({ name, label, isChecked }: CheckProps) {
  return (
    <label class="check">
      <input type="checkbox" name={name} defaultChecked={isChecked} />
      {label}
    </label>
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
  const { daily = '', burst = '', history = '', alerts = '' } = values;
  return {
    ...(daily.trim() && { dailyRequests: readNumber('Requests per day', daily, 'unlimited') }),
    ...(burst.trim() && { burst: readBurst(burst.trim()) }),
    ...(history.trim() && { historyDays: readNumber('Days of history', history, 'all') }),
    ...(alerts.trim() && { alerts: readCount('Alerts', alerts) }),
    ...(SETS_FEATURES in values && {
      features: FEATURES.filter((feature) => nameOf(feature) in values),
    }),
  };
}

function readNumber(label: string, text: string, none: string): number | null {
  if (text.trim() === none) return null;
  return readCount(label, text, `, or “${none}”`);
}

function readCount(label: string, text: string, otherwise = ''): number {
  const digits = text.replace(/[\s,]/g, '');
  if (/^\d+$/.test(digits)) return Number(digits);
  throw new Error(`${label} must be a whole number${otherwise}.`);
}

function readBurst(text: string) {
  if (text === 'none') return null;
  const [, requests, seconds] = /^(\d+)\/(\d+)s$/.exec(text) ?? [];
  if (requests && seconds) return { requests: Number(requests), seconds: Number(seconds) };
  throw new Error('The burst limit must have the form “3/1s”, or be “none”.');
}
