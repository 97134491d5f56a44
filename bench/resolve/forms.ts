import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Draw } from '../search/draw.ts';
import type { Catalogue } from './catalogue.ts';
import { ARENA, MOXFIELD, OTHER_DECKS, PTCGL } from './decklists.ts';
import { type Form, type KnownLine, makeLines } from './line.ts';
import { CARDMARKET, idForm, MANABOX, TCGPLAYER } from './rows.ts';
import { OCR, PLAIN, TITLE } from './texts.ts';

/** Makes 2,000 lines of real cards, the same for the same seed. */
export function makeKnownLines(
  catalogue: Catalogue,
  scryfallIds: ReadonlyMap<string, string>,
  seed: number,
): KnownLine[] {
  const forms: Readonly<Record<string, Form>> = {
    Arena: ARENA,
    Moxfield: MOXFIELD,
    'ManaBox rows': MANABOX,
    PTCGL,
    'lists of Lorcana, SWU, FaB, One Piece': OTHER_DECKS,
    'listing titles': TITLE,
    'TCGplayer rows': TCGPLAYER,
    'Cardmarket rows': CARDMARKET,
    'read from pictures': OCR,
    'name, set and number': PLAIN,
    'external id and name': idForm(scryfallIds),
  };
  return Object.entries(forms).flatMap(([name, form]) => {
    return makeLines(name, form, catalogue, new Draw(seed, name));
  });
}

/** Reads the ids at Scryfall of `<data>/scryfall`, by the number of the product at TCGplayer. */
export function readScryfallIds(data: string): Map<string, string> {
  const file = join(data, 'scryfall/default-cards-2026-01-28.json.gz');
  const rows: { id: string; tcgplayer_id?: number }[] = JSON.parse(
    gunzipSync(readFileSync(file)).toString(),
  );
  return new Map(rows.map(({ id, tcgplayer_id }) => [`${tcgplayer_id}`, id]));
}
