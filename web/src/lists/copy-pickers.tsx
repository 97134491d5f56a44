import { useEffect, useId } from 'preact/hooks';
import type { Grade } from '../../../src/domain/grade-names.ts';
import type { Condition } from '../../../src/domain/price.ts';
import { useLocalCall } from '../api/currency.ts';
import { cardApiPath } from '../api/links.ts';
import type { CardBody } from '../api/responses.ts';
import { useData } from '../api/use-data.ts';
import { SelectField } from '../ui/controls.tsx';
import { formatMoney } from '../ui/format.ts';
import { Fetched } from '../ui/status.tsx';
import { readPercent } from './amounts.ts';
import {
  type Copy,
  type CopyOption,
  conditionOptions,
  gradeOptions,
  printingOf,
} from './copies.ts';
import type { LineProps } from './line-props.ts';
import type { ListedCard } from './list.ts';

interface CopyPickersProps extends LineProps {
  readonly card: ListedCard;
}

/** Picks the printing, and the condition or the grade, of a line's copy. */
export function CopyPickers(props: CopyPickersProps) {
  const { card, onLookup } = props;
  const loaded = useData<{ data: CardBody }>(useLocalCall(cardApiPath(card.id)));
  useEffect(onLookup, [loaded.body]);
  return (
    <div class="copy-pickers">
      <Fetched of={loaded}>{({ data }) => <Pickers {...props} body={data} />}</Fetched>
    </div>
  );
}

function Pickers({
  row,
  card,
  currency,
  percent,
  onRow,
  body,
}: CopyPickersProps & { body: CardBody }) {
  const { answer, chosen, picked } = row;
  const copy: Copy = picked ?? {
    printing: card.printing,
    condition: card.condition,
    grade: ((chosen ?? answer).priceOf?.grade ?? null) as Grade | null,
  };
  const printing = printingOf(body, copy);
  const pick = (change: Partial<Copy>) => {
    const { printing, condition, grade } = { ...copy, ...change };
    onRow({ ...row, picked: { printing, condition, grade, card: body } });
  };
  const labelled = ({ name, label, price }: CopyOption<string>) => {
    return [name, `${label}, ${formatMoney(price, currency)}`] as const;
  };
  return (
    <>
      {body.printings.length > 1 && (
        <SelectField
          label="Printing"
          value={copy.printing ?? ''}
          options={body.printings.map(({ name, prices }) => {
            return labelled({ name, label: name, price: prices.market });
          })}
          onChange={(name) => pick({ printing: name })}
        />
      )}
      <SelectField
        label="Condition"
        value={copy.condition ?? ''}
        options={[['', 'Any condition'], ...conditionOptions(printing).map(labelled)]}
        onChange={(name) => pick({ condition: (name || null) as Condition | null, grade: null })}
      />
      <SelectField
        label="Grade"
        value={copy.grade ?? ''}
        options={[['', 'Not graded'], ...gradeOptions(printing, copy.grade).map(labelled)]}
        onChange={(name) => pick({ grade: (name || null) as Grade | null, condition: null })}
      />
      {percent !== undefined && (
        <PercentOfLine value={row.percent} onChange={(own) => onRow({ ...row, percent: own })} />
      )}
    </>
  );
}

interface PercentOfLineProps {
  /** Undefined for the percentage of the list. */
  readonly value: number | undefined;
  onChange(percent: number | undefined): void;
}

function PercentOfLine({ value, onChange }: PercentOfLineProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>Percent for this line</label>
      <input
        id={id}
        inputMode="decimal"
        autocomplete="off"
        maxLength={8}
        placeholder="same as all"
        defaultValue={value === undefined ? '' : String(value)}
        onInput={({ currentTarget }) => onChange(readPercent(currentTarget.value))}
      />
    </div>
  );
}
