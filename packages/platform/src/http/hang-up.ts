import type { FastifyInstance } from "fastify";

/** Shortens keep-alive during shutdown so that close() returns. */
export function hangUpWhenStopping(fastify: FastifyInstance): void {
  fastify.addHook("preClose", (done) => {
    fastify.server.keepAliveTimeout = 1;
    done();
  });
}
