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

/** Creates, reads and ends the browser session. */
export const serveSession = ({ mainService, sessions, cookies }: Parts): FastifyPluginAsync => {
  /** Returns the signed-in account, as confirmed by the main service. */
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
    // The access token may be revoked early while the session is still valid.
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
      // Not an error: most visitors are signed out, and browsers would log each as a failure.
      return { address: null };
    });

    scope.delete<{ Querystring: { everywhere?: string } }>("/session", async (request, reply) => {
      const caller = callerOf(request);
      // Keeps the cookies unless the main service confirmed the end of the session.
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
