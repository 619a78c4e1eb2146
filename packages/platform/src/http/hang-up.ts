import type { FastifyInstance } from "fastify";

/** Whoever is answered while we stop would keep the connection for longer than anybody waits for us to stop. */
export function hangUpWhenStopping(fastify: FastifyInstance): void {
  fastify.addHook("preClose", (done) => {
    fastify.server.keepAliveTimeout = 1;
    done();
  });
}
