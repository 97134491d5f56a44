export { readCopy } from './copy.ts';
export {
  MOST_CANDIDATES,
  type Resolution,
  type ResolveItem,
  type ResolveOptions,
} from './item.ts';
export { printingMeant, printingWords } from './printing.ts';
export type { ProductResolution } from './products.ts';
export { Resolver } from './resolver.ts';
