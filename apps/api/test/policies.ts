// Drafts, signs and stores policies for tests.
import { policyTypedData, type Policy } from "@countersign/wire";
import type { Person } from "./transactions/decide-api.ts";
import type { TestApi } from "./test-api.ts";

type Http = Pick<TestApi, "http">;

/** Asks about recipients that were never paid, and denies approvals. */
export const aPolicyText = `@id("new-recipient")
@outcome("ask")
@reason("New recipient")
forbid (principal, action, resource is Countersign::Recipient)
when { context has recipient && !context.recipient.known };

@id("no-approvals")
@reason("Approvals are not allowed")
forbid (principal, action == Countersign::Action::"approve", resource);
`;

/** Drafts the terms and signs them with the owner's wallet. */
export async function signedPolicy({ http }: Http, owner: Person, text: string = aPolicyText) {
  const payload = { text, timeZone: "UTC" };
  const drafted = await http.send({ method: "POST", url: "/policies/draft", payload, headers: owner.jwt });
  const { terms } = drafted.json<{ terms: Policy }>();
  return { terms, signature: await owner.wallet.signTypedData(policyTypedData(terms)) };
}

export const setPolicy = ({ http }: Http, payload: object, headers: Record<string, string>) =>
  http.send({ method: "POST", url: "/policies", payload, headers });

export async function aPolicy(api: Http, owner: Person, text: string = aPolicyText): Promise<void> {
  const answer = await setPolicy(api, await signedPolicy(api, owner, text), owner.jwt);
  if (answer.statusCode !== 201) throw new Error(`not set: ${answer.body}`);
}

/** Rules that are all evaluated and that none of the payments breaks. */
export const harmlessRules = (count: number): string =>
  Array.from(
    { length: count },
    (_, index) => `@id("rule-${index}")
@outcome("ask")
forbid (principal, action == Countersign::Action::"transfer", resource)
when { context has amount && context.amount.micro > ${1_000_000_000 + index} };
`,
  ).join("\n");
