import type { FastifyInstance, FastifyRequest } from "fastify";
import { Problem, requestErrors } from "../errors/index.ts";
import { findRepeatedMember } from "./find-repeated-member.ts";

declare module "fastify" {
  // eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- the framework's own way to add a field
  interface FastifyRequest {
    rawBody: string;
  }
}

/** A reader of JSON of the service's own, for a service whose integers do not fit a double. It throws what it refuses. */
export type ParseJson = (text: string) => unknown;

type Done = (error: Error | null, value?: unknown) => void;

const parseOwn =
  (parse: ParseJson) =>
  (_request: FastifyRequest, text: string, done: Done): void => {
    let value: unknown;
    try {
      value = parse(text);
    } catch (error) {
      done(error instanceof Error ? error : new Error("refused", { cause: error }));
      return;
    }
    done(null, value);
  };

function refuseRepeated(text: string, value: unknown, done: Done): void {
  const name = findRepeatedMember(text);
  if (name === undefined) done(null, value);
  else {
    const shown = JSON.stringify(name.slice(0, 50));
    done(requestErrors.invalid({ message: `The body has the member ${shown} twice in one object` }));
  }
}

/**
 * JSON bodies. An empty one is no body, not an error: many clients send the content type on every request. The text is
 * kept in addition to the value, because a signature covers bytes. Keys that would reach a prototype are refused,
 * and so is a member that an object has twice.
 */
export function acceptJson(fastify: FastifyInstance, own?: ParseJson): void {
  const parse = own === undefined ? fastify.getDefaultJsonParser("error", "error") : parseOwn(own);
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
        // A reader of the service's own decides that itself.
        if (error === null && own !== undefined) done(null, value);
        else if (error === null) refuseRepeated(request.rawBody, value, done);
        else if (error instanceof Problem) done(error);
        else done(requestErrors.invalid({ message: "The body is not valid JSON", cause: error }));
      });
    },
  );
}
