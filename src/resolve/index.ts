export type {
  Candidate,
  Matched,
  Resolution,
  ResolveItem,
  Undecided,
} from './item.ts';
export { parseLine } from './lines.ts';
export { Resolver } from './resolver.ts';
