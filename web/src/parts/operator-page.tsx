import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso';
import { PAGES } from '../../../src/dashboard/pages.ts';
import { Page } from './page.tsx';
import '../pages/operator.css';

const TABS = [
  ['Accounts', PAGES.accounts],
  ['Sources', PAGES.sources],
  ['Held back', PAGES.quarantine],
] as const;

/** A page for operators, below the links to all of them. */
export function OperatorPage({ title, children }: { title: string; children: ComponentChildren }) {
  const { path } = useLocation();
  return (
    <Page title={title}>
      <nav aria-label="Operator" class="tabs">
        <ul>
          {TABS.map(([label, address]) => (
            <li key={address}>
              <a href={address} aria-current={path === address ? 'page' : undefined}>
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
