import './list-page.css';
import type { TargetedSubmitEvent } from 'preact';
import { useEffect, useId, useMemo, useRef } from 'preact/hooks';
import { PAGES } from '../../../src/dashboard/pages.ts';
import { post } from '../api/call.ts';
import { localPath, useCurrency } from '../api/currency.ts';
import { dashboardPath } from '../api/links.ts';
import type { ResolvedBody } from '../api/responses.ts';
import { useFeature, useSession } from '../api/session.ts';
import { SelectField } from '../ui/controls.tsx';
import { formatCount } from '../ui/format.ts';
import { useAction, useScrollRestoration } from '../ui/hooks.ts';
import { Page } from '../ui/page.tsx';
import { ErrorMessage } from '../ui/status.tsx';
import { useList } from './kept-list.ts';
import {
  answered,
  type List,
  type ListLine,
  type ListRow,
  linesOf,
  MAX_LINES,
  type ResolvedList,
  type SentList,
} from './list.ts';
import { ListResult } from './list-result.tsx';

/** Finds the cards of a list, if the account's plan includes it. */
export function ListPage() {
  const { isIncluded, cheapestPlan } = useFeature('resolve');
  return (
    <Page title="Resolve a list">
      {isIncluded ? (
        <ResolvableList />
      ) : (
        <p class="notice">
          Finding the cards of a list is included from the {cheapestPlan} plan on.{' '}
          <a href={PAGES.plans}>See the plans</a>
        </p>
      )}
    </Page>
  );
}

function ResolvableList() {
  const [list, change] = useList();
  useScrollRestoration(PAGES.list, true);
  const { resolved } = list;
  // Typing in the form does not render the rows again.
  const result = useMemo(() => {
    if (!resolved) return undefined;
    const onRows = (rows: readonly ListRow[]) => change({ resolved: { ...resolved, rows } });
    return <ListResult resolved={resolved} onRows={onRows} />;
  }, [resolved]);
  return (
    <>
      <ListForm list={list} onChange={change} />
      {result}
    </>
  );
}

interface ListFormProps {
  readonly list: List;
  onChange(change: Partial<List>): void;
}

/** The form for a list. It keeps the text, so the reader can fix it and send it again. */
function ListForm({ list: { text, game, resolved }, onChange }: ListFormProps) {
  const { games } = useSession();
  const { isBusy, error, run } = useAction();
  const [currency] = useCurrency();
  /** The currency of the last call, even of a failed one. */
  const asked = useRef(resolved?.currency);
  const id = useId();
  const resolve = (sent: () => SentList, before?: readonly ListRow[]) => {
    run(async () => {
      asked.current = currency;
      onChange({ resolved: await resolveList(sent(), before) });
    });
  };
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    resolve(() => ({ lines: checkedLines(text), game, currency }));
  };
  useEffect(() => {
    if (!resolved || isBusy || asked.current === currency) return;
    const { lines, rows } = resolved;
    resolve(() => ({ lines, game: resolved.game, currency }), rows);
  }, [currency, isBusy]);
  return (
    <form class="form list-form" onSubmit={submit}>
      <div class="field">
        <label for={id}>Cards, one per line</label>
        <p class="hint" id={`${id}-hint`}>
          A decklist, listing titles or other text that identifies cards, up to {MAX_LINES} lines.
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
          onInput={({ currentTarget }) => onChange({ text: currentTarget.value })}
        />
      </div>
      <SelectField
        label="Game, if a line names none"
        value={game}
        options={[['', 'Any game'], ...games.map(({ id, name }) => [id, name] as const)]}
        onChange={(selected) => onChange({ game: selected })}
      />
      <ErrorMessage error={error} />
      <button type="submit" class="primary" aria-disabled={isBusy}>
        Find the cards
      </button>
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

/** Resolves lines. Candidates that were chosen `before` stay chosen. Rejects with a CallError. */
async function resolveList(sent: SentList, before?: readonly ListRow[]): Promise<ResolvedList> {
  const { lines, game, currency } = sent;
  const path = dashboardPath(localPath('/v1/resolve', currency));
  const items = lines.map((line) => line.text);
  const body = { items, ...(game && { game }) };
  const { data } = await post<{ data: ResolvedBody[] }>(path, body);
  return answered(sent, data, before);
}
