import type { ErrorForm } from '../errors.ts';
import type { Endpoint } from '../v1/endpoint.ts';

/** The interface of another service, as its own clients call it. */
export interface CompatibleInterface {
  /** The path that takes the place of the other service's base address. */
  readonly address: string;
  /** Endpoints whose paths begin with the address. */
  readonly endpoints: readonly Endpoint[];
  /** The form of its errors. */
  readonly errorForm: ErrorForm;
}

/** What the reference would say of an endpoint: it does not have those of other services. */
export const UNDOCUMENTED = { operationId: '', summary: '', description: '' };
