import type { FastifyHelmetOptions } from '@fastify/helmet';

/** Only what we serve ourselves is loaded, and no other site can frame it. */
const POLICY = {
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  'img-src': ["'self'"],
  'connect-src': ["'self'"],
  'form-action': ["'self'"],
  'base-uri': ["'none'"],
  'frame-ancestors': ["'none'"],
};

/** What browsers are told of every page and every call. */
export const securityHeaders: FastifyHelmetOptions = {
  contentSecurityPolicy: { useDefaults: false, directives: POLICY },
  // Whether there is TLS in front of us is for whoever put it there to say.
  strictTransportSecurity: false,
};
