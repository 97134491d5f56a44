import { useMemo } from 'preact/hooks';
import { PAGES } from '../../../../src/dashboard/pages.ts';
import { useFeature } from '../../account/use-feature.ts';
import { Page } from '../../ui/page.tsx';
import '../cards.css';
import './list-page.css';
import { useScrollRestoration } from '../use-scroll-restoration.ts';
import { ListForm } from './list-form.tsx';
import { ListResult } from './list-result.tsx';
import { useList } from './use-list.ts';

/** Finds the cards that the lines of a list mean, if the account's plan includes it. */
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
  const { rows } = list;
  // Typing in the form renders none of the rows again.
  const result = useMemo(
    () => rows && <ListResult rows={rows} onRows={(changed) => change({ rows: changed })} />,
    [rows],
  );
  return (
    <>
      <ListForm list={list} onChange={change} />
      {result}
    </>
  );
}
