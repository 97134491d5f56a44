import type { CallError } from '../api.ts';

/** What stands where something is about to be: nothing for a moment, then words. */
export function Waiting({ error }: { error?: CallError | undefined }) {
  if (error && !error.isPassing) return <ErrorNote error={error} />;
  return (
    <p class={error ? 'notice' : 'waiting'} role="status">
      {error ? `${error.message} Trying again…` : 'Loading…'}
    </p>
  );
}

/** A refusal in the server's words. */
export function ErrorNote({ error }: { error: Error | undefined }) {
  if (!error) return null;
  return (
    <p class="notice error" role="alert">
      {error.message}
    </p>
  );
}
