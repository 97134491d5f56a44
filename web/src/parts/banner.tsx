import { useIsAway } from '../connection.ts';

/** Says that the server is away for as long as it is. */
export function Banner() {
  const isAway = useIsAway();
  return (
    <div class="banner" role="status">
      {isAway && <p class="notice">The server cannot be reached right now. Trying again…</p>}
    </div>
  );
}
