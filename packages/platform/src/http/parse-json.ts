import type { FastifyInstance, FastifyRequest } from "fastify";
import { requestErrors } from "../errors/index.ts";

declare module "fastify" {
  // eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- the framework's own way to add a field
  interface FastifyRequest {
    rawBody: string;
  }
}

/**
 * JSON bodies. An empty one is no body, not an error: many clients send the content type on every request. The text is
 * kept beside the value, because a signature covers bytes. Keys that would reach a prototype are refused.
 */
export function acceptJson(fastify: FastifyInstance): void {
  const parse = fastify.getDefaultJsonParser("error", "error");
  fastify.decorateRequest("rawBody", "");
  fastify.removeContentTypeParser(["application/json", "text/plain"]);
  fastify.addContentTypeParser(
    "application/json",
    { parseAs: "string" },
    (request: FastifyRequest, body, done) => {
      request.rawBody = body.toString();
      if (request.rawBody.trim() === "") {
        done(null, undefined);
        return;
      }
      void parse(request, request.rawBody, (error, value) => {
        if (error === null) done(null, value);
        else done(requestErrors.invalid({ message: "The body is not valid JSON", cause: error }));
      });
    },
  );
}
