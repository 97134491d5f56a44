/** What of a source could not be read: a row, a record, a group or a file. */
export interface BrokenPart {
  /** Where it is: `3/604/prices, row 12 (product 42346)`, `line 7`, a group's name. */
  readonly name: string;
  /** Which field is wrong and what was found there, or why nothing can be read. */
  readonly reason: string;
}
