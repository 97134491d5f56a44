export { parseLine } from './lines/read-line.ts';
export { Resolver } from './resolver.ts';
export type {
  Candidate,
  Matched,
  Resolution,
  ResolveItem,
  Undecided,
} from './types.ts';
