import { anyOf, defaultLimits, ok, perIp, route, type Route } from "@countersign/platform/http";
import type { Hex } from "@countersign/wire";
import { z } from "zod";
import type { Account } from "../accounts/index.ts";
import { contractWalletLimit } from "../adapters/wallets/index.ts";
import { jwt } from "../sign-in/index.ts";
import { signature } from "../signed-requests/index.ts";
import { checkPolicy } from "./check.ts";
import { builtInInvariants } from "./counterexamples/invariants.ts";
import type { Searcher } from "./counterexamples/searcher.ts";
import { CounterexamplesView, counterexamplesView, Invariants, textsOf } from "./counterexamples/views.ts";
import { policyErrors } from "./errors.ts";
import type { makePreviewPolicy } from "./preview.ts";
import { invariantSchemaText, schemaText } from "./schema.ts";
import type { makeDraftPolicy, makeSetPolicy } from "./sign.ts";
import type { PolicyStore, StoredPolicy } from "./store/policies.ts";
import { templates } from "./templates.ts";
import { PolicyText, Terms, TimeZone } from "./terms.ts";
import { PolicyTest } from "./tests.ts";
import { CheckView, DryRunView, policyView, PolicyView, ruleView, TermsView } from "./views.ts";

type Parts = {
  readonly store: Pick<PolicyStore, "list" | "find">;
  readonly draftPolicy: ReturnType<typeof makeDraftPolicy>;
  readonly setPolicy: ReturnType<typeof makeSetPolicy>;
  readonly previewPolicy: ReturnType<typeof makePreviewPolicy>;
  readonly searcher: Pick<Searcher, "find">;
};

const auth = anyOf(jwt, signature);
const tag = "Policies";
const limit = [...defaultLimits, contractWalletLimit];

const Signature = z
  .string()
  .regex(/^0x(?:[0-9a-fA-F]{2}){1,2048}$/, "must be bytes in hex, at most 2 kB")
  .transform((text) => text.toLowerCase() as Hex);

const Draft = z.object({ text: PolicyText, timeZone: TimeZone.default("UTC") });

const Titled = z.object({ id: z.string(), title: z.string(), text: z.string() });

/** A search takes seconds of a thread. */
const searchesPerMinute = 10;

async function find({ store }: Parts, account: Account, version: number): Promise<StoredPolicy> {
  const found = await store.find(account, version);
  if (found === undefined) throw policyErrors.notFound();
  return found;
}

const learning: readonly Route[] = [
  route({
    method: "GET",
    path: "/policies/schema",
    summary: "Get the schema and the starter rules",
    description:
      "The Cedar schemas that policies and invariants are checked against, rules to start from, and the invariants that the service brings.",
    ...{ tag, limit, auth },
    replies: {
      200: z.object({
        schema: z.string(),
        templates: z.array(Titled),
        invariantSchema: z.string(),
        invariants: z.array(Titled),
      }),
    },
    handle: async () =>
      ok({
        ...{ schema: schemaText, templates: [...templates] },
        ...{ invariantSchema: invariantSchemaText, invariants: [...builtInInvariants] },
      }),
  }),
];

const trying = (parts: Parts): readonly Route[] => [
  route({
    method: "POST",
    path: "/policies/check",
    summary: "Check a policy and run its tests",
    description: "Lists every fault with its line and column. Stores nothing.",
    ...{ tag, limit, auth },
    body: Draft.extend({ tests: z.array(PolicyTest).max(200).default([]) }),
    replies: { 200: CheckView },
    handle: async ({ body, caller }) => {
      const checked = await checkPolicy({ ...body, account: caller.account });
      return ok({
        ...checked,
        faults: [...checked.faults],
        rules: checked.rules.map(ruleView),
        tests: checked.tests.map((test) => ({ ...test, rules: [...test.rules] })),
        untested: [...checked.untested],
      });
    },
  }),
  route({
    method: "POST",
    path: "/policies/dry-run",
    summary: "Run a draft over past transactions",
    description:
      "What it would have allowed, asked about and denied among the account's verified transactions, at most 500, and the difference to another version. Dollars are at the prices of now. Stores nothing.",
    ...{ tag, limit, auth },
    body: Draft.extend({
      days: z.int().min(1).max(365).default(30),
      against: z.int().positive().optional().meta({ description: "A version to compare with." }),
    }),
    replies: { 200: DryRunView },
    refuses: [policyErrors.notValid, policyErrors.notFound],
    handle: async ({ body, caller }) => {
      const { against, ...draft } = body;
      const base = against === undefined ? undefined : await find(parts, caller.account, against);
      return ok(await parts.previewPolicy(caller.account, { ...draft, base }));
    },
  }),
];

const searching = ({ searcher }: Parts): readonly Route[] => [
  route({
    method: "POST",
    path: "/policies/counterexamples",
    summary: "Search for what a policy lets pass",
    description:
      "For each invariant a transaction that breaks it and that the policy does not ask about, or none within stated bounds. Takes up to 4 seconds of CPU time. Stores nothing.",
    ...{ tag, auth },
    limit: [perIp(searchesPerMinute), contractWalletLimit],
    body: Draft.extend(Invariants.shape),
    replies: { 200: CounterexamplesView },
    refuses: [policyErrors.notValid, policyErrors.invariantNotValid, policyErrors.searchUnavailable],
    handle: async ({ body: { text, timeZone, ...named }, caller: { account } }) =>
      ok(counterexamplesView(await searcher.find({ account, text, timeZone, invariants: textsOf(named) }))),
  }),
];

const signing = (parts: Parts): readonly Route[] => [
  route({
    method: "POST",
    path: "/policies/draft",
    summary: "Draft a version of the policy",
    description: "Returns the terms and the typed data for the owner's wallet to sign. Stores nothing.",
    ...{ tag, limit, auth },
    body: Draft,
    replies: {
      200: z.object({ terms: TermsView, typedData: z.record(z.string(), z.unknown()), digest: z.string() }),
    },
    refuses: [policyErrors.notValid],
    handle: async ({ body, caller }) => ok(await parts.draftPolicy(caller.account, body)),
  }),
  route({
    method: "POST",
    path: "/policies",
    summary: "Set the policy",
    description:
      "With the wallet's EIP-712 signature over the terms, which alone changes anything. The newest version decides about every transaction of execution type 2 whose verdict takes effect afterwards. It denies, or asks the owner; it permits nothing.",
    ...{ tag, limit, auth },
    body: z.object({ terms: Terms, signature: Signature }),
    replies: { 201: PolicyView },
    refuses: [
      policyErrors.otherAccount,
      policyErrors.otherInstallation,
      policyErrors.notValid,
      policyErrors.wrongSignature,
      policyErrors.notNext,
      policyErrors.walletUnavailable,
    ],
    handle: async ({ body, caller, ip }) => {
      await parts.setPolicy(caller.account, { terms: body.terms, signature: body.signature, ip });
      const stored = await find(parts, caller.account, body.terms.version);
      return { status: 201 as const, body: policyView(stored) };
    },
  }),
];

const reading = (parts: Parts): readonly Route[] => [
  route({
    method: "GET",
    path: "/policies",
    summary: "List the versions of the policy",
    description: "Newest first, at most 100. The first one counts.",
    ...{ tag, limit, auth },
    replies: { 200: z.array(PolicyView) },
    handle: async ({ caller }) => ok((await parts.store.list(caller.account)).map(policyView)),
  }),
  route({
    method: "GET",
    path: "/policies/{version}",
    summary: "Get a version of the policy",
    ...{ tag, limit, auth },
    params: z.object({ version: z.coerce.number().int().positive().max(2_147_483_647) }),
    replies: { 200: PolicyView },
    refuses: [policyErrors.notFound],
    handle: async ({ params: { version }, caller }) =>
      ok(policyView(await find(parts, caller.account, version))),
  }),
];

export const policyRoutes = (parts: Parts): readonly Route[] => [
  ...learning,
  ...trying(parts),
  ...searching(parts),
  ...signing(parts),
  ...reading(parts),
];
