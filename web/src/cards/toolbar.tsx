import type { TargetedEvent } from 'preact';
import { useId } from 'preact/hooks';
import { CURRENCIES } from '../../../src/domain/currencies.ts';
import { useCurrency } from '../api/currency.ts';
import { Segmented } from '../ui/controls.tsx';
import { formatCount } from '../ui/format.ts';
import { type PriceFilter, parseAmount } from './filters.ts';
import type { View } from './views.ts';

const SEGMENTS = [
  { value: 'rows', label: <Icon name="Rows" d="M2 4h16M2 10h16M2 16h16" /> },
  {
    value: 'grid',
    label: <Icon name="Pictures" d="M3 3h5v6H3zM12 3h5v6h-5zM3 12h5v6H3zM12 12h5v6h-5z" />,
  },
] as const;

function Icon({ name, d }: { name: string; d: string }) {
  return (
    <>
      <svg class="icon" viewBox="0 0 20 20" width={20} height={20} aria-hidden>
        <path d={d} />
      </svg>
      <span class="sr-only">{name}</span>
    </>
  );
}

interface ViewSwitchProps {
  readonly view: View;
  onChange(view: View): void;
}

/** Switches between rows and a grid of pictures. */
export function ViewSwitch({ view, onChange }: ViewSwitchProps) {
  return <Segmented label="Show as" segments={SEGMENTS} value={view} onChange={onChange} />;
}

interface PriceFieldProps {
  readonly prices: PriceFilter;
  onChange(prices: PriceFilter): void;
}

/** Filters cards by their market price, and by whether they have one. */
export function PriceField({ prices, onChange }: PriceFieldProps) {
  const [currency] = useCurrency();
  const { symbol } = CURRENCIES[currency];
  return (
    <>
      <fieldset class="field price-field">
        <legend>Price</legend>
        <Amount
          label={`Lowest price in ${currency}`}
          placeholder={`${symbol} from`}
          value={prices.min}
          onChange={(min) => onChange({ ...prices, min })}
        />
        <Amount
          label={`Highest price in ${currency}`}
          placeholder={`${symbol} to`}
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

/** An amount. It takes effect on Enter or when the reader leaves the box. */
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

interface CountedRarity {
  readonly rarity: string;
  readonly cardCount: number;
}

type Option = readonly [value: string, label: string];

/** Returns the options of a rarity filter: all, the known rarities, and always the selected one. */
export function rarityOptions(selected: string, known: readonly CountedRarity[]): Option[] {
  const isKnown = selected === '' || known.some(({ rarity }) => rarity === selected);
  return [
    ['', 'All rarities'],
    ...(isKnown ? [] : [[selected, selected] as const]),
    ...known.map(({ rarity, cardCount }) => {
      return [rarity, `${rarity} (${formatCount(cardCount)})`] as const;
    }),
  ];
}
