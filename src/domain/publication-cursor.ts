/** How many characters of a publication's id a cursor contains. */
const ID_LENGTH = 8;

/** Returns the cursor of a publication. `/v1/changes` since this cursor lists all later changes. */
export function cursorOf({ revision, id }: { readonly revision: number; readonly id: string }) {
  return `${revision}.${id.slice(0, ID_LENGTH)}`;
}
