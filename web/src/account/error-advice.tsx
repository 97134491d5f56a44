import { API_ERRORS } from '../../../src/domain/errors.ts';
import { InlineCode } from '../ui/inline-code.tsx';

/** What to do about an error of the API, by its code; nothing for a code that is unknown. */
export function ErrorAdvice({ code }: { code: string }) {
  const known = Object.entries(API_ERRORS).find(([name]) => name === code);
  return known ? <InlineCode text={known[1].advice} /> : null;
}
