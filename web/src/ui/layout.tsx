import { PAGES } from '../../../src/dashboard/pages.ts';
import { useSession } from '../account/session.tsx';
import { useIsUnreachable } from '../api/connection.ts';

/** What surrounds every page. */

/** A notice for as long as the server is unreachable. */
export function Banner() {
  const isUnreachable = useIsUnreachable();
  return (
    <div class="banner" role="status">
      {isUnreachable && <p class="notice">The server cannot be reached right now. Trying again…</p>}
    </div>
  );
}

export function Footer() {
  const { version, brand } = useSession();
  return (
    <footer>
      <p>{brand.name}</p>
      <ul>
        <li>
          <a href={PAGES.plans}>Plans</a>
        </li>
        <li>
          <a href="/docs">API reference</a>
        </li>
        <li class="quiet">Cardprice {version}</li>
      </ul>
    </footer>
  );
}
