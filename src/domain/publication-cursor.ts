/** How many characters of the id of a publication a cursor has. */
const ID_LENGTH = 8;

/** Returns the cursor of a publication: `/v1/changes` since it has what later ones changed. */
export function cursorOf({ revision, id }: { readonly revision: number; readonly id: string }) {
  return `${revision}.${id.slice(0, ID_LENGTH)}`;
}
