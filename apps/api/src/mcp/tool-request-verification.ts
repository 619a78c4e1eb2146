import { requireScopes, type McpServer, type ServerContext } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Clock } from "@countersign/platform/clock";
import type { Log } from "@countersign/platform/log";
import type { Hex } from "@countersign/wire";
import { readIdempotencyKey } from "../platform/idempotency/index.ts";
import {
  ProposalBody,
  recordOf,
  TransactionRecord,
  type ApprovalStatusReader,
  type ProposeTransaction,
  type ReadTransaction,
} from "../transactions/index.ts";
import { advertiseInput, advertiseOutput } from "./advertise.ts";
import { makeFollow, steps, type Step } from "./follow.ts";
import { readsOwn } from "./may-read.ts";
import type { Principal } from "./principal.ts";
import type { Given } from "./session-subscriptions.ts";
import { makePointersOf, Pointers } from "./status-report.ts";
import { parseArguments, toolError } from "./tool-errors.ts";
import { answerWith } from "./tool-result.ts";

export type RequestVerificationParts = {
  readonly proposeTransaction: ProposeTransaction;
  readonly readTransaction: ReadTransaction;
  readonly status: Pick<ApprovalStatusReader, "read">;
  /** Counts one proposal together with POST /transactions. Throws above the limit. */
  readonly countProposal: (principal: Principal, ip: string) => Promise<void>;
  readonly uiUrl: string;
  readonly clock: Clock;
  readonly log: Log;
  /** How long a call with a progress token waits for the verdict. */
  readonly waitSeconds: number;
};

/** The plaintext form of POST /transactions. Encryption by the sender is for the owner's own programs. */
const Input = ProposalBody.in
  .omit({ encrypted: true, encryptedPayload: true, payloadSignature: true })
  .required({ userPrompt: true })
  .extend({ idempotencyKey: z.string().optional() })
  // Rejects unknown arguments: a model would believe that they count.
  .strict();

const inputSchema = advertiseInput(Input, {
  escrowAddress:
    "The account whose money would move: 0x and 40 hex digits. It must be the owner's own, as the resource countersign://account names it.",
  userPrompt:
    "The user's request in their exact words, unshortened and untranslated, with every amount, token, name and address they gave. The verifier checks the transaction against this text, so never write it yourself to fit the transaction.",
  tx: "The one call that would be sent to the chain. Required unless another member below takes its place.",
  "tx.to": "Destination contract or address: 0x and 40 hex digits.",
  "tx.value":
    'Amount of the native token in wei as a decimal string, such as "1000000000000000". "0" for none.',
  "tx.data": 'Calldata in hex, whole bytes. "0x" for a plain transfer.',
  typedData:
    "In place of tx: the EIP-712 data that the wallet would sign, such as a permit or a payment authorization, exactly as {domain, types, primaryType, message}. A signature can move money later, so it is checked like a transaction.",
  calls:
    "In place of tx: a batch of calls for the wallet as in EIP-5792, as {chainId, from, atomicRequired, calls: [{to, value, data}]}. Its from must be escrowAddress. Capabilities are not accepted.",
  safeTransaction:
    "In place of tx: a transaction of a Safe that the owner would confirm, as {chainId, safe, to, value, data, operation, nonce} and, if set, safeTxGas, baseGas, gasPrice, gasToken and refundReceiver. The user's request must name the Safe by its address.",
  message:
    "In place of tx: the exact text that the wallet would sign (EIP-191), such as a sign-in. The user's request must contain the text (Sign the message “…”) or name the site (Sign in to example.com).",
  authorizationList:
    "In place of tx: a list of exactly one EIP-7702 authorization that the wallet would sign, as [{chainId, address, nonce}]. The account would run the code at address from then on, so the user's request must name that address. chainId 0 is not accepted.",
  userOperation:
    "In place of tx: an ERC-4337 user operation that the account's owner would sign, unpacked: {chainId, entryPoint, sender, nonce, callData, callGasLimit, verificationGasLimit, preVerificationGas, maxFeePerGas, maxPriorityFeePerGas} and, if set, factory, factoryData, paymaster, paymasterVerificationGasLimit, paymasterPostOpGasLimit and paymasterData. The entry point must be that of version 0.7 or 0.8. If sender is not the account itself, the user's request must name it by its address.",
  contextLogs:
    "Context for later audits, as a JSON object (at most 64 kB). It is encrypted with the proposal and never counts as part of the user's request.",
  chainId: "The chain it would be sent on. Default: 11155111 (Sepolia).",
  verificationServiceId: "The verification service that should check it. Usually omitted.",
  deadline:
    "Unix seconds after which it may no longer be executed. Usually omitted; the default is a day from now.",
  supersedes:
    "The requestHash of a pending proposal of this account that this one replaces, for example after the user corrected the request.",
  intentSignature:
    "The owner's own EIP-712 signature over the request, if their wallet made one. Never invent it. Usually omitted.",
  idempotencyKey:
    "Any text of your own, new for each proposal (1 to 255 visible ASCII characters). Calling again with the same key and the same arguments returns the first answer instead of proposing twice: set it if you may have to retry.",
});

const Output = TransactionRecord.extend(Pointers.shape);
const outputSchema = advertiseOutput(Output);

const description =
  "Submit a blockchain transaction for verification before it is sent. An independent verifier checks that the transaction does what the " +
  "user asked and nothing else; depending on the account, the owner then approves it in person. This sends nothing to " +
  "the chain. Returns at once with a requestHash, or after at most 20 seconds if you ask for progress. Then call checkVerificationStatus with that " +
  "requestHash until there is a verdict. Until the status is APPROVED, do not send the transaction and do not say that it " +
  "was approved.";

type Answer = z.infer<typeof Output>;
type Recorded = TransactionRecord & { readonly requestHash: Hex };
type Call = { readonly parts: RequestVerificationParts; readonly given: Given };

async function propose({ parts, given: { principal, ip } }: Call, sent: unknown): Promise<Recorded> {
  await parts.countProposal(principal, ip);
  const { idempotencyKey: key, ...fields } = parseArguments(Input, sent);
  const idempotencyKey = key === undefined ? undefined : readIdempotencyKey({ "idempotency-key": key });
  const body = parseArguments(ProposalBody, fields);
  const { caller } = principal;
  return (await parts.proposeTransaction({ body, caller, ip, idempotencyKey })).body as Recorded;
}

/** Sends progress notifications if the client asked for them. */
async function watch({ parts, given }: Call, requestHash: Hex, { mcpReq }: ServerContext): Promise<void> {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return;
  const { principal } = given;
  const tell = (progress: Step): Promise<void> =>
    mcpReq.notify({
      method: "notifications/progress",
      params: { progressToken, progress, total: steps.length, message: steps[progress - 1] },
    });
  if (!readsOwn(principal)) await tell(1);
  else await makeFollow(parts)({ requestHash, caller: principal.caller, tell, signal: mcpReq.signal });
}

/** Returns the current state, or what was recorded if the call did not wait. */
async function answer({ parts, given }: Call, recorded: Recorded, isWatched: boolean): Promise<Answer> {
  const { requestHash, phase, chainWatched, shape } = recorded;
  const pointersOf = makePointersOf(parts);
  if (!isWatched || !readsOwn(given.principal))
    return {
      ...recorded,
      ...pointersOf(requestHash, {
        ...{ phase, isWatched: chainWatched, shape: shape === "tx" ? null : shape },
        ...{ orion: null, reason: null, needsOwner: null },
      }),
    };
  const { transaction } = await parts.readTransaction(requestHash, given.principal.caller);
  return { ...recordOf(transaction), ...pointersOf(requestHash, transaction) };
}

async function requestVerification(call: Call, sent: unknown, context: ServerContext): Promise<Answer> {
  const { principal, session } = call.given;
  const recorded = await propose(call, sent);
  const { requestHash } = recorded;
  try {
    if (readsOwn(principal)) await session?.subscribe(requestHash);
    await watch(call, requestHash, context);
    return await answer(call, recorded, context.mcpReq._meta?.progressToken !== undefined);
  } catch (error) {
    // It is recorded. An error here would make the agent propose it again.
    call.parts.log.warn("proposal recorded, but could not be followed", { key: requestHash, error });
    return answer(call, recorded, false);
  }
}

export function registerRequestVerification(
  server: McpServer,
  parts: RequestVerificationParts,
  given: Given,
): void {
  server.registerTool(
    "requestVerification",
    {
      title: "Request verification of a transaction",
      ...{ description, inputSchema, outputSchema },
      annotations: {
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: false,
        openWorldHint: true,
      },
      scopeChallenge: requireScopes("transactions:create:own"),
    },
    async (sent, context) => {
      try {
        return answerWith(await requestVerification({ parts, given }, sent, context));
      } catch (error) {
        return toolError(error, parts.log);
      }
    },
  );
}
