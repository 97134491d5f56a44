/**
 * Writes what runs of faults measured into the table of docs/cluster.md:
 *
 *     npm run test:cluster-faults -- --json REPORT.json
 *     node test/cluster/measured.ts docs/cluster.md REPORT.json …
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { withMeasured } from './run/measured.ts';
import type { Report } from './run/report.ts';

const [page = '', ...files] = process.argv.slice(2);
const reports = files.map((file) => JSON.parse(readFileSync(file, 'utf8')) as Report);
writeFileSync(page, withMeasured(readFileSync(page, 'utf8'), reports));
