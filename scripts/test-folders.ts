/** The test files without a separate script, except those at the top of `test/`. */
export const EVERYDAY = 'test/!(real|browser|clients|duckdb|faults|cluster|slow)/**';

/** Tests of files that contain SQL: `npm test` runs them on both engines, and others on SQLite. */
export const ON_BOTH_ENGINES = /^test[\\/](store|accounts)[\\/]/;
