import { registerHooks } from 'node:module';

/** Loaded before the program (`--import`), it is as if the optional sharp were not installed. */
registerHooks({
  resolve(specifier, context, next) {
    return next(specifier === 'sharp' ? 'sharp-is-not-installed' : specifier, context);
  },
});
