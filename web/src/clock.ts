import { useEffect, useState } from 'preact/hooks';
import { useSession } from './session.tsx';

/**
 * The server's clock in milliseconds, moving on every `everyMs`: ages and countdowns are told by
 * it, because the reader's may be wrong.
 */
export function useServerClock(everyMs = 60_000): number {
  const { clockOffset } = useSession();
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return Date.now() + clockOffset;
}
