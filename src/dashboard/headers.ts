import type { FastifyHelmetOptions } from '@fastify/helmet';

/** Pages load only from this server, and no other site can frame them. */
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

/** The security headers of every page and every call. */
export const securityHeaders: FastifyHelmetOptions = {
  contentSecurityPolicy: { useDefaults: false, directives: POLICY },
  // The proxy that terminates TLS decides about HSTS.
  strictTransportSecurity: false,
};
