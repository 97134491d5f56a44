export { type Cache, type CachedAnswer, MemoryCache } from './cache.ts';
export { Cardprice } from './client.ts';
export { CardpriceError, type ErrorCode } from './errors.ts';
export type { Page, Pages } from './pages.ts';
export type { CallOptions, ClientOptions, Quota } from './transport.ts';
export type * from './types.ts';
