import { GAMES } from '../../src/domain/games.ts';
import { ALIASES } from '../../src/search/aliases.ts';
import { table } from './table.ts';

/** Returns the page of all aliases that come with the program. */
export function aliasesPage(): string {
  return `# Aliases

Nicknames that collectors and players use, and the query that each stands for. Cards whose names
contain the alias are still found (\`bolt\`, \`crow\`). Only the words in these tables are aliases;
nothing is abbreviated by rule. \`CARDPRICE_ALIASES\` adds your own.

${GAMES.map(({ slug, name }) => section(slug, name))
  .filter(Boolean)
  .join('\n')}`;
}

function section(slug: string, name: string): string {
  const rows = ALIASES.filter(({ game }) => game === slug);
  if (rows.length === 0) return '';
  const cells = rows.map(({ alias, means }) => [alias, means]);
  return `## ${name}\n\n${table(['people type', 'it means'], cells)}\n`;
}
