/** Returns a Markdown table; pipes and line breaks in cells are escaped. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return [header, header.map(() => '---'), ...rows].map(tableRow).join('\n');
}

function tableRow(cells: readonly string[]): string {
  const texts = cells.map((cell) => cell.replaceAll('|', '\\|').replace(/\s+/g, ' '));
  return `| ${texts.join(' | ')} |`;
}
