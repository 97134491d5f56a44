import type { CallError } from '../api/call.ts';

/** Stands in for data that is loading: nothing for a moment, then a line of text. */
export function Loading({ error }: { error?: CallError | undefined }) {
  if (error && !error.isTransient) return <ErrorMessage error={error} />;
  return (
    <p class={error ? 'notice' : 'loading'} role="status">
      {error ? `${error.message} Trying again…` : 'Loading…'}
    </p>
  );
}

/** The message of an error. */
export function ErrorMessage({ error }: { error: Error | undefined }) {
  if (!error) return null;
  return (
    <p class="notice error" role="alert">
      {error.message}
    </p>
  );
}

/** The message of an error unless it is transient: the banner shows those. */
export function PermanentError({ error }: { error: CallError | undefined }) {
  return <ErrorMessage error={error?.isTransient ? undefined : error} />;
}
