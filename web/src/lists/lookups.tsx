import type { Static } from 'typebox';
import { PAGES } from '../../../src/dashboard/pages.ts';
import type { LookupsView } from '../../../src/dashboard/views.ts';
import { useSession } from '../api/session.ts';
import { formatCount, formatCounted } from '../ui/format.ts';
import { Age } from '../ui/time.tsx';

/** The cards that the pages may still show the reader today. */
export type Lookups = Static<typeof LookupsView>;

/**
 * Shows the remaining card lookups of today. If there are none, shows when they return and which
 * plans have more.
 */
export function LookupsLeft({ lookups: { limit, remaining, resetAt } }: { lookups: Lookups }) {
  if (remaining > 0) {
    return (
      <p class="hint">
        {formatCount(remaining)} of {formatCounted(limit, 'card lookup')} left today.
      </p>
    );
  }
  return (
    <p class="notice">
      You have used today’s {formatCounted(limit, 'card lookup')}. Lookups reset at midnight UTC,{' '}
      <Age iso={resetAt} />. <More />
    </p>
  );
}

function More() {
  const { account, signUp } = useSession();
  if (account) return <a href={PAGES.plans}>Larger plans include more</a>;
  return (
    <>
      An account has its own lookups, separate from your network’s, and larger plans include more:{' '}
      <a href={PAGES.signIn}>sign in</a>
      {signUp !== 'off' && (
        <>
          , <a href={PAGES.signUp}>sign up</a>
        </>
      )}{' '}
      or <a href={PAGES.plans}>compare the plans</a>.
    </>
  );
}
