import { packageFile } from '../lib/package-file.ts';

/** The folder of the built pages. */
export const PAGES_FOLDER = packageFile('web/dist/');
