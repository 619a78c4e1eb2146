import type { FastifyInstance } from "fastify";

/** Shortens keep-alive during shutdown so that close() returns. */
export function hangUpWhenStopping(fastify: FastifyInstance): void {
  fastify.addHook("preClose", (done) => {
    fastify.server.keepAliveTimeout = 1;
    done();
  });
}

/**
 * Closes each connection with its next answer while the service drains. The client has the answer and knows that the
 * connection ends, so its next request is not lost with it.
 */
export function hangUpWhenDraining(fastify: FastifyInstance, isDraining: (() => boolean) | undefined): void {
  if (isDraining === undefined) return;
  fastify.addHook("onSend", (_request, reply, payload, done) => {
    if (isDraining()) reply.header("connection", "close");
    done(null, payload);
  });
}
