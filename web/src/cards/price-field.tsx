import type { TargetedEvent } from 'preact';
import { useId } from 'preact/hooks';
import { type PriceFilter, parseAmount } from './search-query.ts';

interface Props {
  readonly prices: PriceFilter;
  onChange(prices: PriceFilter): void;
}

/** Between which market prices cards are shown, and whether those without a price are. */
export function PriceField({ prices, onChange }: Props) {
  return (
    <>
      <fieldset class="field price-field">
        <legend>Price</legend>
        <Amount
          label="Lowest price in dollars"
          placeholder="$ from"
          value={prices.min}
          onChange={(min) => onChange({ ...prices, min })}
        />
        <Amount
          label="Highest price in dollars"
          placeholder="$ to"
          value={prices.max}
          onChange={(max) => onChange({ ...prices, max })}
        />
      </fieldset>
      <label class="check">
        <input
          type="checkbox"
          checked={prices.isPriced}
          onChange={({ currentTarget }) => {
            onChange({ ...prices, isPriced: currentTarget.checked });
          }}
        />
        With a price
      </label>
    </>
  );
}

interface AmountProps {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  onChange(value: string): void;
}

/** An amount, which takes effect with Enter or when the reader leaves the box. */
function Amount({ label, placeholder, value, onChange }: AmountProps) {
  const id = useId();
  const change = ({ currentTarget }: TargetedEvent<HTMLInputElement>) => {
    const amount = parseAmount(currentTarget.value);
    currentTarget.value = amount;
    if (amount !== value) onChange(amount);
  };
  return (
    <>
      <label for={id} class="sr-only">
        {label}
      </label>
      <input
        id={id}
        type="text"
        inputMode="decimal"
        autocomplete="off"
        maxLength={12}
        placeholder={placeholder}
        value={value}
        onChange={change}
      />
    </>
  );
}
