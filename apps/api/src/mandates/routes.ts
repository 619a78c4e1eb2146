import { anyOf, defaultLimits, ok, route, type Route } from "@countersign/platform/http";
import type { Hex } from "@countersign/wire";
import { z } from "zod";
import { contractWalletLimit } from "../adapters/wallets/index.ts";
import { apiKey } from "../api-keys/index.ts";
import { jwt } from "../sign-in/index.ts";
import { signature } from "../signed-requests/index.ts";
import type { AskForMandate } from "./ask.ts";
import { scopeOf, type Caller, type Scope } from "./caller.ts";
import type { makeCreateMandate } from "./create.ts";
import type { makeDraftMandate } from "./draft.ts";
import type { EndMandate } from "./end.ts";
import { mandateErrors } from "./errors.ts";
import type { makePreviewMandate } from "./preview.ts";
import { PreviewView } from "./preview-view.ts";
import type { MandateRequestStore } from "./store/requests.ts";
import type { Mandate, MandateStore } from "./store/mandates.ts";
import { Draft, Terms } from "./terms.ts";
import { MandateView, mandateView, requestView, RequestView, TermsView } from "./views.ts";

type Parts = {
  readonly store: Pick<MandateStore, "find" | "list" | "readUsed">;
  readonly endMandate: EndMandate;
  readonly requests: Pick<MandateRequestStore, "list" | "close">;
  readonly askForMandate: AskForMandate;
  readonly draftMandate: ReturnType<typeof makeDraftMandate>;
  readonly previewMandate: ReturnType<typeof makePreviewMandate>;
  readonly createMandate: ReturnType<typeof makeCreateMandate>;
};

const inPerson = anyOf(jwt, signature);
const ownerOrAgent = anyOf(jwt, apiKey(), signature);
const tag = "Mandates";
const limit = [...defaultLimits, contractWalletLimit];
const byId = z.object({ id: z.uuid() });

const Signature = z
  .string()
  .regex(/^0x(?:[0-9a-fA-F]{2}){1,2048}$/, "must be bytes in hex, at most 2 kB")
  .transform((text) => text.toLowerCase() as Hex);

/** Another account's mandate, or another agent's, is reported as not found. */
async function findWithin({ store }: Parts, id: string, { account, agent }: Scope): Promise<Mandate> {
  const found = await store.find(id);
  if (found?.account !== account || (agent !== undefined && found.agent !== agent))
    throw mandateErrors.notFound();
  return found;
}

async function view({ store }: Parts, mandates: readonly Mandate[]): Promise<z.infer<typeof MandateView>[]> {
  const used = await store.readUsed(mandates.map(({ id }) => id));
  return mandates.map((mandate) => mandateView(mandate, used.get(mandate.id)));
}

const viewOne = async (parts: Parts, id: string, caller: Caller): Promise<z.infer<typeof MandateView>> => {
  const mandate = await findWithin(parts, id, scopeOf(caller));
  const used = await parts.store.readUsed([id]);
  return mandateView(mandate, used.get(id));
};

const granting = (parts: Parts): readonly Route[] => [
  route({
    method: "POST",
    path: "/mandates/draft",
    summary: "Draft a mandate",
    description: "Returns the terms and the typed data for the owner's wallet to sign. Stores nothing.",
    ...{ tag, limit, auth: inPerson },
    body: Draft,
    replies: {
      200: z.object({ terms: TermsView, typedData: z.record(z.string(), z.unknown()), digest: z.string() }),
    },
    refuses: [mandateErrors.periodNotAllowed, mandateErrors.agentUnknown],
    handle: async ({ body, caller }) => ok(await parts.draftMandate(caller.account, body)),
  }),
  route({
    method: "POST",
    path: "/mandates/preview",
    summary: "Run a draft over past transactions",
    description:
      "What it would have allowed and asked about among the agent's verified transactions, at most the newest 500, as if it had been valid then and the agent's only mandate. Repeated requests, pauses and policies count as they did then; limits in dollars at the prices of now. Stores nothing.",
    ...{ tag, limit, auth: inPerson },
    body: Draft.safeExtend({
      days: z.int().min(1).max(365).default(30),
      against: z.uuid().optional().meta({ description: "One of your mandates to compare with." }),
    }),
    replies: { 200: PreviewView },
    refuses: [mandateErrors.periodNotAllowed, mandateErrors.agentUnknown, mandateErrors.notFound],
    handle: async ({ body, caller }) => {
      const { days, against, ...draft } = body;
      const base = against === undefined ? undefined : await findWithin(parts, against, scopeOf(caller));
      return ok(await parts.previewMandate(caller.account, { draft, days, base }));
    },
  }),
  route({
    method: "POST",
    path: "/mandates",
    summary: "Grant a mandate",
    description:
      "With the wallet's EIP-712 signature over the terms, which alone grants anything. From then on the agent's transactions of " +
      "execution type 2 are approved without the owner only within its mandates.",
    ...{ tag, limit, auth: inPerson },
    body: z.object({
      terms: Terms,
      signature: Signature,
      requestId: z.uuid().optional().meta({ description: "The agent's request that this grants." }),
      replaces: z.uuid().optional().meta({
        description:
          "A mandate of the same agent, which ends in the same step. Transactions that are approved under it and not sent stay approved if the new mandate covers them; otherwise the owner is asked again.",
      }),
    }),
    replies: { 201: MandateView },
    refuses: [
      mandateErrors.otherAccount,
      mandateErrors.otherInstallation,
      mandateErrors.periodNotAllowed,
      mandateErrors.agentUnknown,
      mandateErrors.wrongSignature,
      mandateErrors.nonceUsed,
      mandateErrors.notReplaceable,
      mandateErrors.busy,
      mandateErrors.walletUnavailable,
    ],
    handle: async ({ body, caller, ip }) => {
      const { terms, signature: signed, requestId, replaces } = body;
      const given = { terms, signature: signed, requestId, replaces, ip };
      const id = await parts.createMandate(caller.account, given);
      return { status: 201 as const, body: await viewOne(parts, id, caller) };
    },
  }),
];

const reading = (parts: Parts): readonly Route[] => [
  route({
    method: "GET",
    path: "/mandates",
    summary: "List mandates",
    description: "Newest first, also ended ones. An API key sees its own.",
    ...{ tag, limit, auth: ownerOrAgent },
    replies: { 200: z.array(MandateView) },
    refuses: [mandateErrors.noAccount],
    handle: async ({ caller }) => {
      const { account, agent } = scopeOf(caller);
      return ok(await view(parts, await parts.store.list(account, agent)));
    },
  }),
  route({
    method: "GET",
    path: "/mandates/{id}",
    summary: "Get a mandate",
    ...{ tag, limit, auth: ownerOrAgent },
    params: byId,
    replies: { 200: MandateView },
    refuses: [mandateErrors.noAccount, mandateErrors.notFound],
    handle: async ({ params: { id }, caller }) => ok(await viewOne(parts, id, caller)),
  }),
  route({
    method: "DELETE",
    path: "/mandates/{id}",
    summary: "Revoke a mandate",
    description:
      "By the owner, or by the agent's key, which gives it back. Nothing more is approved under it, and the owner is asked again about transactions that are approved under it and not sent yet, unless another mandate of the agent covers them.",
    ...{ tag, limit, auth: ownerOrAgent },
    params: byId,
    replies: { 200: MandateView },
    refuses: [mandateErrors.noAccount, mandateErrors.notFound, mandateErrors.busy],
    handle: async ({ params: { id }, caller }) => {
      await parts.endMandate(await findWithin(parts, id, scopeOf(caller)));
      return ok(await viewOne(parts, id, caller));
    },
  }),
];

const asking = ({ requests, askForMandate }: Parts): readonly Route[] => [
  route({
    method: "POST",
    path: "/mandates/requests",
    summary: "Ask for a mandate",
    description: "For an agent's API key. It grants nothing: the owner drafts and signs it, or declines.",
    ...{ tag, auth: apiKey() },
    body: Draft,
    replies: { 201: RequestView },
    refuses: [mandateErrors.noAccount, mandateErrors.otherAgent, mandateErrors.tooManyRequests],
    handle: async ({ body: draft, caller }) => ({
      status: 201 as const,
      body: requestView(await askForMandate(scopeOf(caller), draft)),
    }),
  }),
  route({
    method: "GET",
    path: "/mandates/requests",
    summary: "List open requests for mandates",
    description: "Newest first. An API key sees its own.",
    ...{ tag, limit, auth: ownerOrAgent },
    replies: { 200: z.array(RequestView) },
    refuses: [mandateErrors.noAccount],
    handle: async ({ caller }) => {
      const { account, agent } = scopeOf(caller);
      return ok((await requests.list(account, agent)).map(requestView));
    },
  }),
  route({
    method: "DELETE",
    path: "/mandates/requests/{id}",
    summary: "Close a request for a mandate",
    description: "By the owner, who declines it, or by the agent that made it.",
    ...{ tag, limit, auth: ownerOrAgent },
    params: byId,
    replies: { 200: z.object({ id: z.uuid(), open: z.literal(false) }) },
    refuses: [mandateErrors.noAccount, mandateErrors.requestNotFound],
    handle: async ({ params: { id }, caller }) => {
      const { account, agent } = scopeOf(caller);
      if (!(await requests.close(id, account, agent))) throw mandateErrors.requestNotFound();
      return ok({ id, open: false as const });
    },
  }),
];

export const mandateRoutes = (parts: Parts): readonly Route[] => [
  ...granting(parts),
  ...asking(parts),
  ...reading(parts),
];
