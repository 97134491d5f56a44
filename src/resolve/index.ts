export { parseLine } from './lines/read-line.ts';
export { Resolver } from './resolver.ts';
export type {
  Candidate,
  ExternalId,
  Matched,
  Resolution,
  ResolveItem,
  Undecided,
} from './types.ts';
