import { PAGES } from '../../../src/dashboard/pages.ts';
import { Page } from './page.tsx';

export function NotFoundPage() {
  return (
    <Page title="There is nothing here" isNotFound>
      <p>
        The address may be mistyped, or the page has moved. <a href={PAGES.home}>Search cards</a>
      </p>
    </Page>
  );
}
