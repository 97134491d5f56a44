import { Money } from '../ui/money.tsx';
import { Segmented } from '../ui/segmented.tsx';
import type { PrintingBody } from './responses.ts';

interface Props {
  readonly printings: readonly PrintingBody[];
  /** The name of the printing whose prices the page shows. */
  readonly shown: string | null;
  onChange(printing: string): void;
}

/** Switches between the printings of a card, each with its market price. */
export function PrintingSwitch({ printings, shown, onChange }: Props) {
  if (printings.length < 2) return null;
  return (
    <Segmented
      label="Printing"
      value={shown ?? undefined}
      onChange={onChange}
      segments={printings.map(({ name, prices }) => ({
        value: name,
        label: (
          <>
            <bdi>{name}</bdi> <Money amount={prices.market} />
          </>
        ),
      }))}
    />
  );
}
