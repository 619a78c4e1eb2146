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
  /** Counts one proposal as POST /transactions does; throws when it is one too many. */
  readonly countProposal: (principal: Principal, ip: string) => Promise<void>;
  readonly uiUrl: string;
  readonly clock: Clock;
  readonly log: Log;
  /** How long a call that is watched waits for the verdict. */
  readonly waitSeconds: number;
};

/** Of what POST /transactions takes, the form that we seal: sealing by the sender is for programs of the owner's own. */
const Input = ProposalBody.in
  .omit({ encrypted: true, encryptedPayload: true, payloadSignature: true })
  .required({ userPrompt: true, tx: true })
  .extend({ idempotencyKey: z.string().optional() })
  // A model is told of an argument that there is not: it would believe that it counts.
  .strict();

const inputSchema = advertiseInput(Input, {
  escrowAddress:
    "The account whose money would move: 0x and 40 hex digits. It must be the owner's own; the resource countersign://account says which that is.",
  userPrompt:
    "The user's request in their exact words, unshortened and untranslated, with every amount, token, name and address they gave. The arbiter checks the transaction against this text, so never write it yourself to fit the transaction.",
  tx: "The one call that would be sent to the chain.",
  "tx.to": "Destination contract or address: 0x and 40 hex digits.",
  "tx.value":
    'Amount of the native coin in wei as a decimal string, such as "1000000000000000". "0" for none.',
  "tx.data": 'Call data in hex, whole bytes. "0x" for a plain transfer.',
  contextLogs:
    "Anything that helps somebody to audit this later, as a JSON object (at most 64 kB). It is sealed with the proposal and never counts as the user's words.",
  chainId: "The chain it would be sent on. 11155111 (Sepolia) if left out.",
  verificationServiceId: "Which verification service should judge it. Usually left out.",
  deadline:
    "Unix seconds after which it may not be executed any more. Usually left out: then a day from now.",
  supersedes:
    "The requestHash of a pending proposal of this account that this one replaces, for instance after the user corrected themselves.",
  intentSignature:
    "The owner's own EIP-712 signature over the words, if their wallet made one. Never invent it. Usually left out.",
  idempotencyKey:
    "Any text of your own, new for each proposal (1 to 255 visible ASCII characters). Calling again with the same key and the same arguments returns the first answer instead of proposing twice: set it if you may have to retry.",
});

const Output = TransactionRecord.extend(Pointers.shape);
const outputSchema = advertiseOutput(Output);

const description =
  "Submit a blockchain transaction for verification before it is sent. An independent arbiter checks that the transaction does what the " +
  "user's words say and nothing else; depending on the account, the owner then approves it in person. This sends nothing to " +
  "the chain. Returns at once with a requestHash (or, if you ask for progress, after at most 20 seconds). Then call checkVerificationStatus with that " +
  "requestHash until there is a verdict. Until the status is APPROVED the transaction must not be sent, and you must not say that it " +
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

/** Tells how far it is, if the client asked to be told. */
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

/** What is so by now. Without having waited, that is what was recorded. */
async function answer({ parts, given }: Call, recorded: Recorded, isWatched: boolean): Promise<Answer> {
  const { requestHash, phase, chainWatched } = recorded;
  const pointersOf = makePointersOf(parts);
  if (!isWatched || !readsOwn(given.principal))
    return {
      ...recorded,
      ...pointersOf(requestHash, { phase, orion: null, reason: null, isWatched: chainWatched }),
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
    // It is recorded: if this looked as if it were not, the agent would propose it again.
    call.parts.log.warn("a proposal is recorded, but could not be followed", { key: requestHash, error });
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
