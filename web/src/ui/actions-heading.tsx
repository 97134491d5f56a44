/** The heading of a column of buttons, for those who hear the table. */
export function ActionsHeading() {
  return (
    <th scope="col">
      <span class="sr-only">What can be done</span>
    </th>
  );
}
