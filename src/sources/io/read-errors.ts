import { OperatorError } from '../../domain/errors.ts';

/**
 * Runs a function that reads a location, and returns its result.
 *
 * @throws OperatorError that names the location, whatever the function throws.
 */
export async function withReadErrors<Result>(
  location: string,
  read: () => Promise<Result>,
): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError(`${location} cannot be read: ${reason}.`, { cause: error });
  }
}
