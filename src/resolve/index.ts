export type { Resolution, ResolveItem } from './item.ts';
export { Resolver } from './resolver.ts';
