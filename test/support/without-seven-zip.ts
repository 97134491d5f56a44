import { registerHooks } from 'node:module';

/** Loaded before the program (`--import`), it is as if the optional 7z-wasm were not installed. */
registerHooks({
  resolve(specifier, context, next) {
    return next(specifier === '7z-wasm' ? '7z-wasm-is-not-installed' : specifier, context);
  },
});
