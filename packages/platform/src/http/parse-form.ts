import type { FastifyInstance, FastifyRequest } from "fastify";
import { requestErrors } from "../errors/index.ts";

/** A repeated parameter becomes an array, which a schema for a single value rejects. */
function readForm(text: string): Readonly<Record<string, string | readonly string[]>> {
  const form = new URLSearchParams(text);
  return Object.fromEntries(
    [...new Set(form.keys())].map((name) => {
      const [first = "", ...more] = form.getAll(name);
      return [name, more.length === 0 ? first : [first, ...more]];
    }),
  );
}

/** Forms, for the endpoints that take them. To the others a form is as foreign as before: a page cannot send JSON unasked. */
export function acceptForms(fastify: FastifyInstance): void {
  fastify.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string" },
    (request: FastifyRequest, body, done) => {
      if (request.routeOptions.config.acceptsForm !== true) {
        done(requestErrors.unsupportedMediaType());
        return;
      }
      request.rawBody = body.toString();
      done(null, readForm(request.rawBody));
    },
  );
}
