import { type Operation, orderedParameters, type Parameter } from './document.ts';

/** An error that an operation answers. */
export interface DocumentedError {
  readonly code: string;
  readonly status: string;
  readonly message: string;
}

/** The parameters and errors of an operation. */
export interface Listed {
  readonly parameters: readonly Parameter[];
  readonly errors: readonly DocumentedError[];
}

export function listedOf(operation: Operation): Listed {
  const errors = Object.entries(operation.responses).flatMap(([status, { content }]) => {
    const examples = Object.entries(content?.['application/json']?.examples ?? {});
    return examples.map(([code, { value }]) => ({ code, status, message: value.error.message }));
  });
  return { parameters: orderedParameters(operation), errors };
}

/** Returns the parameters and errors that all operations share. */
export function commonOf(operations: readonly Operation[]): Listed {
  const [first, ...others] = operations.map(listedOf);
  if (!first) return { parameters: [], errors: [] };
  return {
    parameters: others.reduce(
      (common, { parameters }) => both(common, parameters),
      first.parameters,
    ),
    errors: others.reduce((common, { errors }) => both(common, errors), first.errors),
  };
}

/** Returns the parameters and errors that only this operation has. */
export function ownOf(operation: Operation, common: Listed): Listed {
  const { parameters, errors } = listedOf(operation);
  return {
    parameters: without(parameters, common.parameters),
    errors: without(errors, common.errors),
  };
}

function both<T>(some: readonly T[], others: readonly T[]): readonly T[] {
  const known = textsOf(others);
  return some.filter((item) => known.has(JSON.stringify(item)));
}

function without<T>(all: readonly T[], some: readonly T[]): readonly T[] {
  const known = textsOf(some);
  return all.filter((item) => !known.has(JSON.stringify(item)));
}

function textsOf(items: readonly unknown[]): Set<string> {
  return new Set(items.map((item) => JSON.stringify(item)));
}
