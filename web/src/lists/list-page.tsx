import type { TargetedSubmitEvent } from 'preact';
import { useEffect, useId, useMemo, useRef } from 'preact/hooks';
import { PAGES } from '../../../src/dashboard/pages.ts';
import { call } from '../api/call.ts';
import { useCurrency } from '../api/currency.ts';
import type { GameBody } from '../api/responses.ts';
import { useSession } from '../api/session.ts';
import { useData } from '../api/use-data.ts';
import { SelectField } from '../ui/controls.tsx';
import { formatCount } from '../ui/format.ts';
import { useAction, useScrollRestoration } from '../ui/hooks.ts';
import { late, loadStyle } from '../ui/late.tsx';
import { Page } from '../ui/page.tsx';
import { ErrorMessage } from '../ui/status.tsx';
import { type List, type ListLine, linesOf, MAX_LINES } from './list.ts';
import resultStyle from './list-result.css?url';
import { type Lookups, LookupsLeft } from './lookups.tsx';
import { repriceList, resolveList } from './resolve-list.ts';
import { sampleOf } from './sample.ts';
import { type ChangeList, useList } from './use-list.ts';

const DESCRIPTION =
  'Paste a decklist, a collection or listing titles to see the price of every card, the total ' +
  'and the amount to pay.';

const ListResult = late('The cards', async () => {
  const [{ ListResult }] = await Promise.all([import('./list-result.tsx'), loadStyle(resultStyle)]);
  return ListResult;
});

/** Prices the lines of a list, within the lookups that the reader has today. */
export function ListPage() {
  const [list, changeList] = useList();
  const lookups = useData<{ data: Lookups }>('/dashboard/lookups');
  useScrollRestoration(PAGES.list, true);
  const { resolved, percent } = list;
  const { refetch } = lookups;
  // Typing in the form does not render the lines again.
  const result = useMemo(() => {
    if (!resolved) return undefined;
    const parts = { resolved, percent, onChange: changeList, onLookup: refetch };
    return <ListResult {...parts} />;
  }, [resolved, percent, changeList, refetch]);
  return (
    <Page title="Price a list" description={DESCRIPTION}>
      <ListForm list={list} onChange={changeList} onLookup={refetch} />
      {lookups.body && <LookupsLeft lookups={lookups.body.data} />}
      {result}
    </Page>
  );
}

interface ListFormProps {
  readonly list: List;
  readonly onChange: ChangeList;
  /** Called after calls that use lookups. */
  onLookup(): void;
}

/** The form for a list. It keeps the text, so the reader can fix it and send it again. */
function ListForm({ list: { text, game, resolved }, onChange, onLookup }: ListFormProps) {
  const { games } = useSession();
  const { isBusy, error, run } = useAction();
  const [currency] = useCurrency();
  /** The currency of the last call, even of a failed one. */
  const asked = useRef(resolved?.currency);
  const id = useId();
  const show = (call: () => Promise<List['resolved']>) => {
    run(async () => {
      asked.current = currency;
      try {
        const answer = await call();
        onChange((before) => ({ ...before, resolved: answer }));
      } finally {
        onLookup();
      }
    });
  };
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    show(async () => resolveList({ lines: checkedLines(text), game, currency }));
  };
  const trySample = () => {
    show(async () => {
      const { data } = await call<{ data: GameBody[] }>('/dashboard/v1/games');
      const sample = sampleOf(data);
      onChange((before) => ({ ...before, text: sample, game: '' }));
      return resolveList({ lines: checkedLines(sample), game: '', currency });
    });
  };
  useEffect(() => {
    if (!resolved || isBusy || asked.current === currency) return;
    show(() => repriceList(resolved, currency));
  }, [currency, isBusy]);
  return (
    <form class="form list-form" onSubmit={submit}>
      <div class="field">
        <label for={id}>Cards, one per line</label>
        <p class="hint" id={`${id}-hint`}>
          A decklist, a collection, listing titles: any text that identifies cards, up to{' '}
          {MAX_LINES} lines. Quantities, conditions and grades are recognized:{' '}
          <code>4x Lightning Bolt NM</code>, <code>Charizard 4/102 PSA 9</code>.
        </p>
        <textarea
          id={id}
          aria-describedby={`${id}-hint`}
          rows={8}
          required
          spellcheck={false}
          autocapitalize="off"
          dir="auto"
          value={text}
          onInput={({ currentTarget: { value } }) => {
            onChange((before) => ({ ...before, text: value }));
          }}
        />
      </div>
      <SelectField
        label="Game for lines that do not name one"
        value={game}
        options={[['', 'Any game'], ...games.map(({ id, name }) => [id, name] as const)]}
        onChange={(selected) => onChange((before) => ({ ...before, game: selected }))}
      />
      <ErrorMessage error={error} />
      <div class="row">
        <button type="submit" class="primary" aria-disabled={isBusy}>
          Price the list
        </button>
        <button type="button" aria-disabled={isBusy} onClick={trySample}>
          Try a sample
        </button>
      </div>
    </form>
  );
}

/** @throws Error with advice for the reader. */
function checkedLines(text: string): readonly ListLine[] {
  const lines = linesOf(text);
  if (lines.length === 0) throw new Error('The list is empty. Enter at least one card.');
  if (lines.length > MAX_LINES) {
    const count = formatCount(lines.length);
    throw new Error(`The list has ${count} lines. Enter at most ${MAX_LINES} at once.`);
  }
  return lines;
}
