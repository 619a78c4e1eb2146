import { requestErrors } from "@countersign/platform/errors";
import type { FastifyPluginAsync, FastifyRequest } from "fastify";
import type { Caller, MainService } from "./adapters/main-service.ts";
import type { Cookies } from "./cookies.ts";
import { checkIsOwnPage } from "./own-page.ts";
import type { Session, Sessions } from "./sessions.ts";

type Parts = {
  readonly mainService: MainService;
  readonly sessions: Sessions;
  readonly cookies: Cookies;
};

export const callerOf = ({ ip, id, headers }: FastifyRequest): Caller => ({
  ip,
  requestId: id,
  userAgent: headers["user-agent"],
});

/** The session in the browser: made, asked for, ended. */
export const serveSession = ({ mainService, sessions, cookies }: Parts): FastifyPluginAsync => {
  /** Who is signed in, if the main service still says so. */
  const identify = async (
    request: FastifyRequest,
  ): Promise<{ readonly session: Session; readonly address?: string }> => {
    const caller = callerOf(request);
    const shown = cookies.read(request.headers.cookie);
    const session = await sessions.open(shown, caller);
    if (session.kind !== "good") return { session };
    const known = await mainService.whoIs(session.pair.accessToken, caller);
    if (known !== undefined) return { session, address: known.address };
    if (session.isNew) return { session: { kind: "refused" } };
    // The access token was taken back before its time; the session may be good all the same.
    const renewed = await sessions.renew(shown, caller);
    if (renewed.kind !== "good") return { session: renewed };
    const again = await mainService.whoIs(renewed.pair.accessToken, caller);
    return again === undefined
      ? { session: { kind: "refused" } }
      : { session: renewed, address: again.address };
  };

  return async (scope) => {
    scope.addHook("onRequest", async (request) => {
      checkIsOwnPage(request.headers);
    });

    scope.post("/session", async (request, reply) => {
      if (!Buffer.isBuffer(request.body)) throw requestErrors.invalid();
      const outcome = await mainService.signIn(request.body.toString("utf8"), callerOf(request));
      if ("pair" in outcome)
        return reply.header("set-cookie", cookies.keep(outcome.pair)).send({ address: outcome.address });
      return reply.code(outcome.status).header("x-error-code", outcome.code).send(outcome.body);
    });

    scope.get("/session", async (request, reply) => {
      const { session, address } = await identify(request);
      if (session.kind === "good") {
        if (session.isNew) reply.header("set-cookie", cookies.keep(session.pair));
        return { address };
      }
      if (session.kind === "refused") reply.header("set-cookie", cookies.forget);
      // An answer and no error: most who come are nobody yet, and a browser would write each of them down as a failure.
      return { address: null };
    });

    scope.delete<{ Querystring: { everywhere?: string } }>("/session", async (request, reply) => {
      const caller = callerOf(request);
      // A session that the main service could not end stays in the browser: only what it confirmed has happened.
      const session = await sessions.open(cookies.read(request.headers.cookie), caller);
      if (session.kind === "good") {
        const { pair } = session;
        if (session.isNew) reply.header("set-cookie", cookies.keep(pair));
        if (request.query.everywhere === "true") await mainService.signOutEverywhere(pair, caller);
        else await mainService.signOut(pair, caller);
      }
      reply.removeHeader("set-cookie");
      return reply.header("set-cookie", cookies.forget).code(204).send();
    });
  };
};
