import { useLayoutEffect, useState } from 'preact/hooks';
import { type Currency, findCurrency } from '../../../src/domain/currencies.ts';
import { dashboardPath, withQuery } from './links.ts';

/** The currency in which the reader wants prices, which their browser remembers. */

const KEY = 'cardprice-currency';

/** The reader's choice; undefined until it is read, as on the server. */
let chosen: Currency | undefined;

/** The components that show prices. */
const listeners = new Set<(currency: Currency) => void>();

/** Returns the currency of all prices, and a function that changes it. */
export function useCurrency(): readonly [Currency, (currency: Currency) => void] {
  const [currency, setCurrency] = useState<Currency>(chosen ?? 'USD');
  useLayoutEffect(() => {
    chosen ??= readCurrency();
    setCurrency(chosen);
    listeners.add(setCurrency);
    return () => {
      listeners.delete(setCurrency);
    };
  }, []);
  return [currency, choose];
}

function choose(currency: Currency): void {
  chosen = currency;
  for (const listener of listeners) listener(currency);
  try {
    localStorage.setItem(KEY, currency);
  } catch {
    // The choice lasts until the page is closed.
  }
}

function readCurrency(): Currency {
  try {
    return findCurrency(localStorage.getItem(KEY) ?? '') ?? 'USD';
  } catch {
    return 'USD';
  }
}

/** Returns an API path for prices in the reader's currency. Dollars need no parameter. */
export function useLocalPath(apiPath: string): string {
  const [currency] = useCurrency();
  return localPath(apiPath, currency);
}

/** The same as {@link useLocalPath}, in a given currency. */
export function localPath(apiPath: string, currency: Currency): string {
  return currency === 'USD' ? apiPath : withQuery(apiPath, { currency });
}

/** The same as {@link useLocalPath}, for a call of a page. */
export function useLocalCall(apiPath: string): string {
  return dashboardPath(useLocalPath(apiPath));
}
