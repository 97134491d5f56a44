import { useLocation } from 'preact-iso';
import { PAGES } from '../../../src/dashboard/pages.ts';
import { type Account, useSession } from '../session.tsx';

type Link = readonly [label: string, path: string];

const FOR_ALL: readonly Link[] = [
  ['Sign in', PAGES.signIn],
  ['Plans', PAGES.plans],
];

const FOR_ACCOUNTS: readonly Link[] = [
  ['Cards', PAGES.cards],
  ['Sets', PAGES.sets],
  ['Keys', PAGES.keys],
  ['Usage', PAGES.usage],
  ['Plans', PAGES.plans],
  ['Account', PAGES.account],
];

const FOR_OPERATORS: readonly Link[] = [...FOR_ACCOUNTS, ['Operator', PAGES.accounts]];

/** The navigation, the same on every page. */
export function Header() {
  const { account } = useSession();
  return (
    <header class="bar">
      <a class="brand" href={PAGES.cards}>
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
  if (!account) return FOR_ALL;
  return account.isOperator ? FOR_OPERATORS : FOR_ACCOUNTS;
}

function NavLink({ label, path }: { label: string; path: string }) {
  const { path: current } = useLocation();
  const isHere = path === PAGES.cards ? /^\/($|cards\/)/.test(current) : current.startsWith(path);
  return (
    <li>
      <a href={path} aria-current={isHere ? 'page' : undefined}>
        {label}
      </a>
    </li>
  );
}
