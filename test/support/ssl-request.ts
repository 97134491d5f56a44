/** The message by which a client of PostgreSQL asks for TLS. */
export const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);
