import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso';
import { PAGES } from '../../../src/dashboard/pages.ts';
import type { QuarantineBody } from '../api/responses.ts';
import { useAccount } from '../api/session.ts';
import { useData } from '../api/use-data.ts';
import { Breakable } from '../ui/breakable.tsx';
import { formatCount } from '../ui/format.ts';
import { useMenu } from '../ui/hooks.ts';
import { Page } from '../ui/page.tsx';

interface OperatorPageProps {
  readonly title: string;
  /**
   * The number of waiting decisions on prices, on the page that loads it; null until it is loaded.
   * The menu of other pages loads it.
   */
  readonly quarantined?: number | null;
  readonly children: ComponentChildren;
}

/** A page for operators, next to a menu of all of them. */
export function OperatorPage({ title, children, ...count }: OperatorPageProps) {
  return (
    <div class="operator">
      <OperatorMenu {...count} />
      <div class="operator-content">
        <Page title={title}>{children}</Page>
      </div>
    </div>
  );
}

type Section = readonly [label: string, links: readonly (readonly [label: string, path: string])[]];

const SECTIONS: readonly Section[] = [
  [
    'Prices',
    [
      ['Quarantine', PAGES.quarantine],
      ['Sources', PAGES.sources],
    ],
  ],
  [
    'People',
    [
      ['Accounts', PAGES.accounts],
      ['Plans', PAGES.operatorPlans],
    ],
  ],
  [
    'Service',
    [
      ['Health', PAGES.health],
      ['Audit log', PAGES.audit],
    ],
  ],
  [
    'Your account',
    [
      ['Keys', PAGES.keys],
      ['Usage', PAGES.usage],
    ],
  ],
];

/**
 * The pages for operators by subject, and the signed-in account. On a phone they are behind a
 * button.
 */
function OperatorMenu(count: Pick<OperatorPageProps, 'quarantined'>) {
  const { path } = useLocation();
  const { email } = useAccount();
  const { area, isOpen, id, button } = useMenu(path);
  return (
    <nav aria-label="Operator" class="operator-menu" ref={area}>
      <button class="operator-menu-button" {...button}>
        Operator pages
      </button>
      <div id={id} class={isOpen ? 'sections open' : 'sections'}>
        <MenuLink label="Overview" href={PAGES.overview} />
        {SECTIONS.map(([section, links]) => (
          <section key={section} aria-label={section}>
            <p class="section-name" aria-hidden="true">
              {section}
            </p>
            {links.map(([label, href]) => (
              <MenuLink key={href} label={label} href={href}>
                {href === PAGES.quarantine && <QuarantineCount {...count} />}
              </MenuLink>
            ))}
          </section>
        ))}
        <p class="signed-in">
          Signed in as{' '}
          <a href={PAGES.account}>
            <bdi>
              <Breakable text={email} />
            </bdi>
          </a>
        </p>
      </div>
    </nav>
  );
}

interface LinkProps {
  readonly label: string;
  readonly href: string;
  readonly children?: ComponentChildren;
}

function MenuLink({ label, href, children }: LinkProps) {
  const { path } = useLocation();
  const isCurrent = path === href || (href === PAGES.accounts && path === PAGES.operatorAccount);
  return (
    <a href={href} class="section-link" aria-current={isCurrent ? 'page' : undefined}>
      {label}
      {children}
    </a>
  );
}

/** The number of prices that wait for a decision; nothing if there are none. */
function QuarantineCount({ quarantined }: Pick<OperatorPageProps, 'quarantined'>) {
  const { body } = useData<QuarantineBody>(
    quarantined === undefined ? '/dashboard/operator/quarantine?limit=1' : null,
    { refetchOnVisible: true },
  );
  const count = quarantined ?? body?.total ?? 0;
  if (count === 0) return null;
  return (
    <span class="waiting-count">
      {formatCount(count)}
      <span class="sr-only"> waiting</span>
    </span>
  );
}
