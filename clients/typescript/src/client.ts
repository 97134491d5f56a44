import { Operations } from './operations.ts';
import { type ClientOptions, type Quota, Transport } from './transport.ts';

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
}
