import { registerHooks } from 'node:module';

/** Preload this into a program (`--import`) to simulate a missing sharp, which is optional. */
registerHooks({
  resolve(specifier, context, next) {
    return next(specifier === 'sharp' ? 'sharp-is-not-installed' : specifier, context);
  },
});
