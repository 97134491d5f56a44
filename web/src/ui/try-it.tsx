import type { CallsProps } from './api-calls.tsx';
import { late } from './late.tsx';
import { Disclosure } from './parts.tsx';

const Calls = late('The calls', async () => (await import('./api-calls.tsx')).Calls);

/** The API calls that return the data of a page, as code to copy. */
export function TryIt(props: CallsProps) {
  return (
    <section class="try-it">
      <Disclosure summary="Get this from the API" render={() => <Calls {...props} />} />
    </section>
  );
}
