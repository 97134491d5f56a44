import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { CallError } from '../api/call.ts';
import type { Loaded } from '../api/use-data.ts';

/** A placeholder for data that is loading: nothing for a moment, then a line of text. */
export function Loading({ error }: { error?: CallError | undefined }) {
  if (error && !error.isTransient) return <ErrorMessage error={error} />;
  return (
    <p class={error ? 'notice' : 'loading'} role="status">
      {error ? `${error.message} Retrying…` : 'Loading…'}
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

/** The message of an error that is not transient. The banner shows transient ones. */
export function PermanentError({ error }: { error: CallError | undefined }) {
  return <ErrorMessage error={error?.isTransient ? undefined : error} />;
}

interface FetchedProps<Body> {
  readonly of: Pick<Loaded<Body>, 'body' | 'error'>;
  children(body: Body): ComponentChildren;
}

/** Renders data once it is loaded, and the error if that fails. */
export function Fetched<Body>({ of: { body, error }, children }: FetchedProps<Body>) {
  if (body === undefined) return <Loading error={error} />;
  return (
    <>
      <PermanentError error={error} />
      {children(body)}
    </>
  );
}

/** The outcome of an action. Each action creates a new object, even if its text is the same. */
export interface Outcome {
  readonly text: string;
}

/**
 * Shows the outcome of the last action and takes the focus, because the button may have
 * disappeared.
 */
export function OutcomeMessage({ outcome }: { outcome: Outcome | undefined }) {
  const line = useRef<HTMLParagraphElement>(null);
  useLayoutEffect(() => (outcome ? line.current?.focus() : undefined), [outcome]);
  return (
    <p role="status" class="done" tabIndex={-1} ref={line}>
      {outcome?.text}
    </p>
  );
}
