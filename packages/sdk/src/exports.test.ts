import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import * as agentkit from "./agentkit/index.ts";
import * as ai from "./ai/index.ts";
import * as eip1193 from "./eip1193/index.ts";
import * as ethers from "./ethers/index.ts";
import * as main from "./index.ts";
import * as interop from "./interop/index.ts";
import * as langchain from "./langchain/index.ts";
import * as receipt from "./receipt/index.ts";
import * as report from "./report/index.ts";
import * as rpc from "./rpc/index.ts";
import * as safe from "./safe/index.ts";
import * as viem from "./viem/index.ts";
import * as x402 from "./x402/index.ts";

// Adding a name here is a commitment; removing one is a breaking change.
test("exports exactly these values", () => {
  expect(Object.keys(main).sort()).toMatchInlineSnapshot(`
    [
      "ApiError",
      "AuthenticationError",
      "ConflictError",
      "ConnectionError",
      "CountersignError",
      "InvalidRequestError",
      "NotFoundError",
      "PermissionError",
      "RateLimitError",
      "ServiceError",
      "WaitTimeoutError",
      "authorize",
      "connect",
      "createCountersign",
      "describe",
      "refreshOAuth",
      "registerOAuthClient",
      "revokeOAuth",
      "validate",
    ]
  `);
  expect(Object.keys(viem).sort()).toMatchInlineSnapshot(`
    [
      "NotApprovedError",
      "StateChangedError",
      "decideBySignature",
      "decisionMessage",
      "findNotApproved",
      "guard",
      "guardSmartAccount",
      "isNotApproved",
      "signIn",
      "signMandate",
      "signPolicy",
      "signWords",
      "updateSettingsBySignature",
    ]
  `);
  expect(Object.keys(eip1193).sort()).toMatchInlineSnapshot(`
    [
      "NotApprovedError",
      "findNotApproved",
      "guardProvider",
      "isNotApproved",
    ]
  `);
  expect(Object.keys(ethers).sort()).toMatchInlineSnapshot(`
    [
      "NotApprovedError",
      "findNotApproved",
      "guardSigner",
      "isNotApproved",
    ]
  `);
  expect(Object.keys(x402).sort()).toMatchInlineSnapshot(`
    [
      "NotApprovedError",
      "findNotApproved",
      "guardPayments",
      "isNotApproved",
    ]
  `);
  expect(Object.keys(safe).sort()).toMatchInlineSnapshot(`
    [
      "NotApprovedError",
      "findNotApproved",
      "guardSafe",
      "isNotApproved",
    ]
  `);
  expect(Object.keys(agentkit).sort()).toMatchInlineSnapshot(`
    [
      "NotApprovedError",
      "findNotApproved",
      "guardWalletProvider",
      "isNotApproved",
    ]
  `);
  expect(Object.keys(rpc).sort()).toMatchInlineSnapshot(`
    [
      "NotApprovedError",
      "findNotApproved",
      "guardRpc",
      "isNotApproved",
    ]
  `);
  for (const tools of [ai, langchain]) expect(Object.keys(tools)).toEqual(["walletTools"]);
  expect(Object.keys(receipt).sort()).toMatchInlineSnapshot(`
    [
      "fetchTrust",
      "verifyReceipt",
    ]
  `);
  expect(Object.keys(report).sort()).toMatchInlineSnapshot(`
    [
      "codePointName",
      "describeEffect",
      "describeNet",
      "formatUnits",
      "hiddenCharacter",
      "placeInData",
      "readBalances",
      "readReport",
    ]
  `);
  expect(Object.keys(interop).sort()).toMatchInlineSnapshot(`
    [
      "ConversionRefused",
      "enforcerNames",
      "fromAp2",
      "fromErc7710",
      "fromErc7715",
      "toAp2",
      "toErc7710",
      "toErc7715",
    ]
  `);
});

/** Types leave nothing at run time: they are read where they are written. */
async function typesIn(file: string): Promise<readonly string[]> {
  const text = (await readFile(new URL(file, import.meta.url), "utf8")).replaceAll(
    /\/\/.*|\/\*[^]*?\*\//g,
    "",
  );
  const listed = [...text.matchAll(/export (type )?\{([^}]*)\}/g)].flatMap(([, all, names = ""]) =>
    names
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== "" && (all !== undefined || name.startsWith("type ")))
      .map((name) => name.replace(/^type /, "").replace(/^.* as /, "")),
  );
  return [...listed, ...[...text.matchAll(/export type (\w+)/g)].map(([, name = ""]) => name)].sort();
}

test("exports exactly these types", async () => {
  expect(await typesIn("./index.ts")).toMatchInlineSnapshot(`
    [
      "AgentOptions",
      "AgentRef",
      "Agents",
      "Answer",
      "Ask",
      "Authorization",
      "ChannelChange",
      "ChannelDeliveryPage",
      "ChannelDraft",
      "Channels",
      "Connected",
      "Connection",
      "ConnectionOptions",
      "ConnectionRequest",
      "Connections",
      "ContactDraft",
      "Contacts",
      "Countersign",
      "CountersignOptions",
      "DeliveryListOptions",
      "DeliveryPage",
      "Descriptions",
      "Events",
      "EventsOptions",
      "ExportData",
      "Identity",
      "Keys",
      "ListOptions",
      "MandateDraft",
      "MandatePreviewOptions",
      "Mandates",
      "OAuthClient",
      "Page",
      "Policies",
      "PolicyDraft",
      "ReceiptOptions",
      "Refusal",
      "RejectOptions",
      "RequestOptions",
      "SendOptions",
      "Session",
      "SettingsCalls",
      "SignOut",
      "SignedMandate",
      "SignedPolicy",
      "ToDescribe",
      "TransactionEvent",
      "Transactions",
      "ValidateOptions",
      "Validation",
      "WaitOptions",
      "WebhookChange",
      "WebhookDraft",
      "Webhooks",
      "WhoAmI",
    ]
  `);
  expect(await typesIn("./types.ts")).toMatchInlineSnapshot(`
    [
      "Agent",
      "AgentDetail",
      "Amount",
      "ApiKey",
      "ApiKeyApproval",
      "Approval",
      "Assessment",
      "AuthorizationProposal",
      "AuthorizationTuple",
      "Batch",
      "BatchProposal",
      "Call",
      "Channel",
      "ChannelDelivery",
      "ChannelKind",
      "Contact",
      "Description",
      "Explanation",
      "Hex",
      "ListedApiKey",
      "LookAlike",
      "Mandate",
      "MandatePreview",
      "MandateRequest",
      "MessageProposal",
      "NeedsOwner",
      "NodeResult",
      "OAuthTokens",
      "Phase",
      "Policy",
      "PolicyCheck",
      "PolicyCounterexamples",
      "PolicyDecision",
      "PolicyDryRun",
      "Price",
      "Proposal",
      "ProposalOf",
      "ProposalTerms",
      "Receipt",
      "Recipient",
      "Recipients",
      "Report",
      "SafeProposal",
      "SafeTransaction",
      "Settings",
      "SignatureProposal",
      "Status",
      "Subjects",
      "Transaction",
      "TransactionProposal",
      "TransactionView",
      "TypedData",
      "UserApproval",
      "UserOperation",
      "UserOperationProposal",
      "ValidateRequest",
      "Verdict",
      "VerificationService",
      "Webhook",
      "WebhookDelivery",
    ]
  `);
  expect(await typesIn("./viem/index.ts")).toMatchInlineSnapshot(`
    [
      "ApprovalOptions",
      "DecideBySignatureOptions",
      "Decision",
      "DecisionMessage",
      "DecisionMessageOptions",
      "FreshOptions",
      "GuardOptions",
      "GuardedSmartAccount",
      "RequestMessage",
      "SignInOptions",
      "SignMandateOptions",
      "SignPolicyOptions",
      "SignWordsOptions",
      "SmartAccountOptions",
      "UpdateSettingsBySignatureOptions",
      "Wallet",
    ]
  `);
  expect(await typesIn("./eip1193/index.ts")).toMatchInlineSnapshot(`
    [
      "ApprovalOptions",
      "BareProvider",
      "GuardOptions",
      "GuardedProvider",
    ]
  `);
  expect(await typesIn("./ethers/index.ts")).toMatchInlineSnapshot(`
    [
      "ApprovalOptions",
      "GuardOptions",
    ]
  `);
  expect(await typesIn("./x402/index.ts")).toMatchInlineSnapshot(`
    [
      "ApprovalOptions",
      "Payment",
      "PaymentOptions",
      "PaymentSigner",
      "Wallet",
    ]
  `);
  expect(await typesIn("./safe/index.ts")).toMatchInlineSnapshot(`
    [
      "ApprovalOptions",
      "ProtocolKit",
      "SafeOptions",
      "SafeTx",
    ]
  `);
  expect(await typesIn("./agentkit/index.ts")).toMatchInlineSnapshot(`
    [
      "ApprovalOptions",
      "EvmWallet",
      "GuardOptions",
      "NodeClient",
    ]
  `);
  expect(await typesIn("./rpc/index.ts")).toMatchInlineSnapshot(`
    [
      "ApprovalOptions",
      "BareProvider",
      "GuardOptions",
      "GuardedProvider",
      "RpcOptions",
    ]
  `);
  for (const entry of ["./ai/index.ts", "./langchain/index.ts"])
    expect(await typesIn(entry)).toEqual([
      ...["ApprovalOptions", "GuardOptions", "ToolWallet", "WalletToolResult"],
    ]);
  expect(await typesIn("./receipt/index.ts")).toMatchInlineSnapshot(`
    [
      "FetchTrustOptions",
      "SignedShapeVerdict",
      "SignedTerms",
      "SignedTransactionVerdict",
      "SignedVerdict",
      "Trust",
      "Verification",
    ]
  `);
  expect(await typesIn("./report/index.ts")).toMatchInlineSnapshot(`
    [
      "Assessment",
      "Asset",
      "AssetBalance",
      "Authority",
      "Balances",
      "CallName",
      "CallNode",
      "Check",
      "ControlChange",
      "Effect",
      "Flow",
      "Issue",
      "NetEffect",
      "Outcome",
      "Place",
      "ReadReport",
      "ReadReportOptions",
      "Span",
    ]
  `);
  expect(await typesIn("./interop/index.ts")).toMatchInlineSnapshot(`
    [
      "Ap2Export",
      "Ap2ImportOptions",
      "Ap2IntentMandate",
      "Caveat",
      "Draft",
      "EnforcerName",
      "Enforcers",
      "Erc7710Delegation",
      "Erc7710Export",
      "Erc7710Options",
      "Erc7715Export",
      "Erc7715Permission",
      "ImportOptions",
      "Imported",
      "MandateTerms",
    ]
  `);
});

test.each([
  ["the main entry", "./index.ts", 20],
  ["the reader of reports", "./report/index.ts", 5],
] as const)("%s imports only its own files", async (_, entry, count) => {
  const seen = new Set<string>();
  const outside: string[] = [];
  const visit = async (url: URL): Promise<void> => {
    if (seen.has(url.href)) return;
    seen.add(url.href);
    for (const [, from = ""] of (await readFile(url, "utf8")).matchAll(
      /^(?:import|export|\}) ?.*from "([^"]+)";$/gm,
    ))
      if (from.startsWith(".")) await visit(new URL(from, url));
      else outside.push(from);
  };
  await visit(new URL(entry, import.meta.url));
  expect(outside).toEqual([]);
  expect([...seen].filter((file) => /\/(viem|receipt)\//.test(file))).toEqual([]);
  expect(seen.size).toBeGreaterThan(count);
});
