import type { CallError } from '../api.ts';
import { ErrorNote } from './waiting.tsx';

/** Why a call was refused, above what is still there. That the server is away is said elsewhere. */
export function Refusal({ error }: { error: CallError | undefined }) {
  return <ErrorNote error={error?.isPassing ? undefined : error} />;
}
