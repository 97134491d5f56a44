import { registerHooks } from 'node:module';

/** Preload this into a program (`--import`) to simulate a missing 7z-wasm, which is optional. */
registerHooks({
  resolve(specifier, context, next) {
    return next(specifier === '7z-wasm' ? '7z-wasm-is-not-installed' : specifier, context);
  },
});
