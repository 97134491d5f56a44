/**
 * How many names or cards a step of a search looks at before the next step begins.
 *
 * They lie all over memory, and a search that matches thousands mostly waits for them. The waits
 * of a short loop overlap; when all steps are done for one card before the next, they add up,
 * which takes two or three times as long.
 */
export const TOGETHER = 256;
