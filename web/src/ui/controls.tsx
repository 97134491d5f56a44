import './controls.css';
import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';

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
  /** The selected option; by default the first one. */
  readonly value?: string | undefined;
  readonly options: readonly (readonly [value: string, label: string])[];
  /** The name of the value in a form. */
  readonly name?: string;
  /** Called with the option that the reader selects. */
  onChange?(value: string): void;
}

/** A labelled list from which to select one option. */
export function SelectField({ label, value, options, name, onChange }: SelectFieldProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        name={name}
        value={value}
        onChange={({ currentTarget }) => onChange?.(currentTarget.value)}
      >
        {options.map(([option, text]) => (
          <option key={option} value={option} selected={option === value}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

interface FiltersProps {
  /** The number of active filters. */
  readonly count: number;
  readonly children: ComponentChildren;
}

/** The filters of a list. On a phone a button opens them. */
export function Filters({ count, children }: FiltersProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <>
      <button
        type="button"
        class="filters-button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {count > 0 ? `Filters (${count})` : 'Filters'}
      </button>
      <fieldset id={id} class={isOpen ? 'filters open' : 'filters'}>
        <legend class="sr-only">Narrow down</legend>
        {children}
      </fieldset>
    </>
  );
}
