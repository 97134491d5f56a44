import { formatMoney } from '../../ui/format.ts';
import type { ObservedDay } from './days.ts';
import type { Comparison } from './lines.ts';

interface Props {
  /** The days of the chart; undefined while they are loading. */
  readonly history: readonly ObservedDay[] | undefined;
  readonly comparisons: readonly Comparison[];
  /** The ids of those that the chart shows. */
  readonly shown: ReadonlySet<string>;
  onChange(shown: ReadonlySet<string>): void;
  readonly isHighShown: boolean;
  onHighChange(isShown: boolean): void;
}

/** The lines of the chart: what each color means, and which lines are shown. */
export function ChartLines(props: Props) {
  const { history = [], comparisons, shown, onChange, isHighShown, onHighChange } = props;
  const isKnown = (figure: 'low' | 'high') => history.some((day) => day[figure] !== null);
  const toggle = (id: string) => {
    const next = new Set(shown);
    if (!next.delete(id)) next.add(id);
    onChange(next);
  };
  return (
    <fieldset class="lines">
      <legend class="sr-only">Lines of the chart</legend>
      <span class="key market">Market price</span>
      {isKnown('low') && <span class="key low">Lowest listing</span>}
      {isKnown('high') && (
        <Toggle
          label="Highest listing"
          look="high"
          isOn={isHighShown}
          onToggle={() => onHighChange(!isHighShown)}
        />
      )}
      {comparisons.map(({ id, label, amount, color }) => (
        <Toggle
          key={id}
          label={label}
          amount={amount}
          look={`of-${color.slice(2)}`}
          isOn={shown.has(id)}
          onToggle={() => toggle(id)}
        />
      ))}
    </fieldset>
  );
}

interface ToggleProps {
  readonly label: string;
  readonly amount?: number | null;
  /** The class by which history.css knows the line. */
  readonly look: string;
  readonly isOn: boolean;
  onToggle(): void;
}

function Toggle({ label, amount = null, look, isOn, onToggle }: ToggleProps) {
  return (
    <label class={`key ${look}`}>
      <input type="checkbox" checked={isOn} onChange={onToggle} />
      <bdi>{label}</bdi>
      {amount !== null && <span class="quiet">{formatMoney(amount)}</span>}
    </label>
  );
}
