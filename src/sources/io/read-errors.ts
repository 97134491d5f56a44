import { OperatorError } from '../../domain/errors.ts';

/** Turns what the file system objects to, and text that is none, into an OperatorError. */
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
