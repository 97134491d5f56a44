export { readCopy } from './copy.ts';
export type { Resolution, ResolveItem } from './item.ts';
export { printingMeant, printingWords } from './printing.ts';
export type { ProductResolution } from './products.ts';
export { Resolver } from './resolver.ts';
