import type { ErrorForm } from '../errors.ts';
import type { Endpoint } from '../v1/endpoint.ts';

/** The interface of another service, with the paths that its own clients call. */
export interface CompatibleInterface {
  /** The path that replaces the other service's base address. */
  readonly address: string;
  /** Endpoints whose paths begin with the address. */
  readonly endpoints: readonly Endpoint[];
  /** The form of its errors. */
  readonly errorForm: ErrorForm;
}

/** The part for the reference, which omits endpoints of other services. */
export const UNDOCUMENTED = { operationId: '', summary: '', description: '' };
