/** Whether tests of faults run in their long form: `FAULT_LONG=1 npm run test:faults`. */
export const IS_LONG = (process.env.FAULT_LONG ?? '') !== '';

/** A number of rounds: a few in the short form, which runs with every change. */
export function rounds(short: number, long: number): number {
  return IS_LONG ? long : short;
}
