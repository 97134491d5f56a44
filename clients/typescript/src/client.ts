import { Operations } from './operations.ts';
import { type CallOptions, type ClientOptions, type Quota, Transport } from './transport.ts';
import type { ListChangesAnswer, ListChangesParameters } from './types.ts';

/** How long the service waits for changes, in seconds: less than a call may take. */
const WAIT_SECONDS = 20;

/** An empty answer that comes sooner did not wait, because too many requests do. */
const LEAST_WAIT_MS = 1000;

/** The pause after such an answer. */
const PAUSE_MS = 5000;

/**
 * Calls a Cardprice service. Every method is an operation of the API, with its parameters and
 * answers unchanged; lists are read page by page, and long batches are split.
 *
 * @throws CardpriceError from every call that fails
 */
export class Cardprice extends Operations {
  constructor(options: ClientOptions) {
    super(new Transport(options));
  }

  /** The quota of the account, as the latest answer gave it; undefined before the first. */
  get quota(): Quota | undefined {
    return this.transport.quota;
  }

  /**
   * Gives the pages of changes since a cursor, and waits for the next ones without end. Store the
   * `nextCursor` of a page with its changes, and begin there the next time.
   *
   * @throws CardpriceError `CURSOR_EXPIRED` after 30 days
   */
  async *followChanges(
    parameters: Omit<ListChangesParameters, 'wait'> & { readonly since: string },
    options?: CallOptions,
  ): AsyncGenerator<ListChangesAnswer> {
    let { since } = parameters;
    for (;;) {
      const asked = Date.now();
      const wanted = { limit: 1000, ...parameters, since, wait: WAIT_SECONDS };
      const page = await this.listChanges(wanted, options);
      const isNew = page.nextCursor !== since;
      since = page.nextCursor;
      if (isNew) yield page;
      else if (Date.now() - asked < LEAST_WAIT_MS) await pause(PAUSE_MS);
    }
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
