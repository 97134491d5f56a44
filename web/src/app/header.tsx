import './header.css';
import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { PAGES } from '../../../src/dashboard/pages.ts';
import { CURRENCY_CODES } from '../../../src/domain/currencies.ts';
import { useIsUnreachable } from '../api/call.ts';
import { useCurrency } from '../api/currency.ts';
import { type Session, useSession } from '../api/session.ts';
import { QuickSearch } from '../search/quick-search.tsx';
import { useMenu } from '../ui/hooks.ts';

/** The name of the service, the search and the navigation above every page. */
export function Header() {
  const session = useSession();
  const { path } = useLocation();
  const { account, isPublic, brand } = session;
  // These pages have their own search.
  const hasOwnSearch = path === PAGES.home || path === PAGES.search;
  useSearchKey();
  return (
    <header class="bar">
      <a class="brand" href={PAGES.home}>
        <img src={brand.hasLogo ? '/logo' : '/icon.svg'} alt="" width={28} height={28} />
        <span>{brand.name}</span>
      </a>
      {(account || isPublic) && !hasOwnSearch ? (
        <QuickSearch label="Search cards" />
      ) : (
        <span class="filler" />
      )}
      <Navigation links={linksFor(session)} path={path} />
    </header>
  );
}

type Link = readonly [label: string, path: string];

const CARD_LINKS: readonly Link[] = [
  ['Cards', PAGES.search],
  ['Sets', PAGES.sets],
  ['Movers', PAGES.movers],
  ['List', PAGES.list],
];

const ACCOUNT_LINKS: readonly Link[] = [...CARD_LINKS, ['Alerts', PAGES.alerts]];

const MEMBER_LINKS: readonly Link[] = [
  ...ACCOUNT_LINKS,
  ['Keys', PAGES.keys],
  ['Usage', PAGES.usage],
  ['Plans', PAGES.plans],
  ['Account', PAGES.account],
];

/** The operator's own keys and usage are in the menu of the pages for operators. */
const OPERATOR_LINKS: readonly Link[] = [
  ...ACCOUNT_LINKS,
  ['Account', PAGES.account],
  ['Operator', PAGES.overview],
];

function linksFor({ account, isPublic, signUp }: Session): readonly Link[] {
  if (account) return account.isOperator ? OPERATOR_LINKS : MEMBER_LINKS;
  return [
    ...(isPublic ? CARD_LINKS : []),
    ['Plans', PAGES.plans],
    ['Sign in', PAGES.signIn],
    ...(signUp === 'off' ? [] : ([['Sign up', PAGES.signUp]] as const)),
  ];
}

/** The links to the pages, in a menu if there is no room for them. */
function Navigation({ links, path }: { links: readonly Link[]; path: string }) {
  const { area, isOpen, id, button } = useMenu(path);
  return (
    <nav aria-label="Main" ref={area}>
      <button class="menu-button" {...button}>
        Menu
      </button>
      <ul id={id} class={isOpen ? 'open' : undefined}>
        {links.map(([label, target]) => (
          <li key={target}>
            <a href={target} aria-current={isAt(target, path) ? 'page' : undefined}>
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Whether a link leads to the page at a path or to its parent. */
function isAt(target: string, path: string): boolean {
  if (target === PAGES.search && path.startsWith('/cards/')) return true;
  return path === target || path.startsWith(`${target}/`);
}

/** Moves the focus to the search when the reader presses `/` outside of text fields. */
function useSearchKey(): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { key, target, ctrlKey, metaKey, altKey } = event;
      if (key !== '/' || ctrlKey || metaKey || altKey || isTyping(target)) return;
      const box = document.querySelector<HTMLInputElement>('[data-search]');
      if (!box) return;
      event.preventDefault();
      box.focus();
      box.select();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches('input, textarea, select, dialog *');
}

/* The parts around every page. */

/** A notice while the server is unreachable. */
export function Banner() {
  const isUnreachable = useIsUnreachable();
  return (
    <div class="banner" role="status">
      {isUnreachable && <p class="notice">Cannot reach the server. Retrying…</p>}
    </div>
  );
}

/** The currency of all prices, which the browser remembers. */
function CurrencyChoice() {
  const [currency, choose] = useCurrency();
  return (
    <fieldset class="choice">
      <legend class="sr-only">Currency of prices</legend>
      {CURRENCY_CODES.map((code) => (
        <button
          key={code}
          type="button"
          aria-pressed={code === currency}
          onClick={() => choose(code)}
        >
          {code}
        </button>
      ))}
    </fieldset>
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
          <a href="/docs/guide">Call the API</a>
        </li>
        <li>
          <CurrencyChoice />
        </li>
        <li class="quiet">Cardprice {version}</li>
      </ul>
    </footer>
  );
}
