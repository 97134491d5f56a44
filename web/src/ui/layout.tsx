import { useLocation } from 'preact-iso';
import { PAGES } from '../../../src/dashboard/pages.ts';
import { type Account, useSession } from '../account/session.tsx';
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

type Link = readonly [label: string, path: string];

const VISITOR_LINKS: readonly Link[] = [
  ['Sign in', PAGES.signIn],
  ['Plans', PAGES.plans],
];

const MEMBER_LINKS: readonly Link[] = [
  ['Cards', PAGES.home],
  ['Sets', PAGES.sets],
  ['List', PAGES.list],
  ['Keys', PAGES.keys],
  ['Usage', PAGES.usage],
  ['Plans', PAGES.plans],
  ['Account', PAGES.account],
];

const OPERATOR_LINKS: readonly Link[] = [...MEMBER_LINKS, ['Operator', PAGES.accounts]];

/** The navigation above every page. */
export function Header() {
  const { account } = useSession();
  return (
    <header class="bar">
      <a class="brand" href={PAGES.home}>
        Cardprice
      </a>
      <nav aria-label="Main">
        <ul>
          {linksFor(account).map(([label, path]) => (
            <NavLink label={label} path={path} key={path} />
          ))}
        </ul>
      </nav>
    </header>
  );
}

function linksFor(account: Account | null): readonly Link[] {
  if (!account) return VISITOR_LINKS;
  return account.isOperator ? OPERATOR_LINKS : MEMBER_LINKS;
}

function NavLink({ label, path }: { label: string; path: string }) {
  const { path: current } = useLocation();
  const isHere = path === PAGES.home ? /^\/($|cards\/)/.test(current) : current.startsWith(path);
  return (
    <li>
      <a href={path} aria-current={isHere ? 'page' : undefined}>
        {label}
      </a>
    </li>
  );
}

export function Footer() {
  const { version } = useSession();
  return (
    <footer>
      <p>Cardprice {version}</p>
      <p>
        <a href="/docs">API reference</a>
      </p>
    </footer>
  );
}
