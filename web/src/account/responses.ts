import type { Static } from 'typebox';
import type {
  KeyView,
  NewKeyView,
  ResetPreviewView,
  SessionEntryView,
  UsageView,
} from '../../../src/dashboard/schemas.ts';

/** The bodies of the dashboard's responses about the signed-in account. */

export type ApiKey = Static<typeof KeyView>;
/** An API key that was just created or regenerated, with its secret. */
export type NewApiKey = Static<typeof NewKeyView>;
export type SessionEntry = Static<typeof SessionEntryView>;
export type ResetPreview = Static<typeof ResetPreviewView>;
export type Usage = Static<typeof UsageView>;
export type UsageDay = Usage['days'][number];
