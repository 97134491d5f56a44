/** A record that is not what its source is known to publish; the message says why. */
export class BadRecord extends Error {}

/**
 * Returns a value that was read before.
 *
 * @throws BadRecord when reading it had failed.
 */
export function requireRecord<Value>(value: Value | BadRecord): Value {
  if (value instanceof BadRecord) throw value;
  return value;
}
