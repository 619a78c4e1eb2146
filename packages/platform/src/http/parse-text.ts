import type { FastifyInstance, FastifyRequest } from "fastify";

/** Bodies as text and nothing else, for the routes that are bound to this instance. No body is an empty text. */
export function acceptText(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser("*", { parseAs: "string" }, (request: FastifyRequest, body, done) => {
    request.rawBody = body.toString();
    done(null, request.rawBody);
  });
  fastify.addHook("preValidation", (request, _reply, done) => {
    request.body ??= "";
    done();
  });
}
