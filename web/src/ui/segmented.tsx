import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import './segmented.css';

/** A choice of a segmented control. */
export interface Segment<Value extends string> {
  readonly value: Value;
  readonly label: ComponentChildren;
}

interface Props<Value extends string> {
  /** What is chosen, for screen readers. */
  readonly label: string;
  readonly segments: readonly Segment<Value>[];
  readonly value: Value | undefined;
  onChange(value: Value): void;
}

/** Radio buttons that look like one switch. */
export function Segmented<Value extends string>(props: Props<Value>) {
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
