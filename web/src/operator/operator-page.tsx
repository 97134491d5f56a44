import './operator-page.css';
import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso';
import { PAGES } from '../../../src/dashboard/pages.ts';
import { Page } from '../ui/page.tsx';

const TABS = [
  ['Accounts', PAGES.accounts],
  ['Plans', PAGES.operatorPlans],
  ['Health', PAGES.health],
  ['Sources', PAGES.sources],
  ['Quarantine', PAGES.quarantine],
  ['Audit', PAGES.audit],
] as const;

/** A page for operators, with links to all operator pages at the top. */
export function OperatorPage({ title, children }: { title: string; children: ComponentChildren }) {
  const { path } = useLocation();
  return (
    <Page title={title}>
      <nav aria-label="Operator" class="tabs">
        <ul>
          {TABS.map(([label, href]) => (
            <li key={href}>
              <a href={href} aria-current={path === href ? 'page' : undefined}>
                {label}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {children}
    </Page>
  );
}
