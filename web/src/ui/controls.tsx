import './controls.css';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { formatCount } from './format.ts';

/** A choice of a segmented control. */
export interface Segment<Value extends string> {
  readonly value: Value;
  readonly label: ComponentChildren;
}

interface SegmentedProps<Value extends string> {
  /** The name of the choice, for screen readers. */
  readonly label: string;
  readonly segments: readonly Segment<Value>[];
  readonly value: Value | undefined;
  onChange(value: Value): void;
}

/** Radio buttons that look like one switch. */
export function Segmented<Value extends string>(props: SegmentedProps<Value>) {
  const { label, segments, value, onChange } = props;
  const name = useId();
  return (
    <fieldset class="segmented">
      <legend class="sr-only">{label}</legend>
      {segments.map((segment) => (
        <label key={segment.value}>
          <input
            type="radio"
            name={name}
            value={segment.value}
            checked={segment.value === value}
            onChange={() => onChange(segment.value)}
          />
          {segment.label}
        </label>
      ))}
    </fieldset>
  );
}

interface SelectFieldProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, label: string])[];
  onChange(value: string): void;
}

/** A labelled list to select one option from, which takes effect at once. */
export function SelectField({ label, value, options, onChange }: SelectFieldProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {options.map(([option, text]) => (
          <option key={option} value={option} selected={option === value}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

interface PagingProps {
  /** Items before the ones on this page. */
  readonly offset: number;
  /** Items on this page. */
  readonly shown: number;
  readonly limit: number;
  readonly total: number;
  /** The name of the items: `accounts`. */
  readonly what: string;
  /** The link to the page that begins at an offset. */
  hrefOf(offset: number): string;
}

/** Which items of a long list a page shows, with links to the previous and the next ones. */
export function Paging({ offset, shown, limit, total, what, hrefOf }: PagingProps) {
  const last = offset + shown;
  return (
    <nav class="paging" aria-label={`Pages of ${what}`}>
      <p role="status">
        {shown === 0
          ? `no ${what}`
          : `${formatCount(offset + 1)} to ${formatCount(last)} of ${formatCount(total)} ${what}`}
      </p>
      {offset > 0 && (
        <a class="button" href={hrefOf(Math.max(0, offset - limit))}>
          Back
        </a>
      )}
      {last < total && (
        <a class="button" href={hrefOf(offset + limit)}>
          More
        </a>
      )}
    </nav>
  );
}
