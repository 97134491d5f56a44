import { useSession } from '../account/session.tsx';
import { Page } from '../ui/page.tsx';

/** What the service is, and where to begin. */
export function HomePage() {
  const { brand } = useSession();
  return (
    <Page title={brand.tagline} windowTitle="">
      <p>…</p>
    </Page>
  );
}
