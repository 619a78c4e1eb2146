// Renders a proposal: its state, who has to act, and the next command.
import type { Phase, TransactionView } from "@countersign/sdk";
import { plainLine } from "../terminal/plain-text.ts";
import { coloursOf, columnsOf, padTo, rows, wrap, type Colours, type Page, type Row } from "./layout.ts";
import { signedRow } from "./signed-row.ts";
import { span, when } from "./times.ts";
import { useRows } from "./use-row.ts";

export type TransactionPage = Page & { readonly now: Date };

const phases: Readonly<Record<Phase, string>> = {
  RECEIVED: "Saved. Waiting to be checked.",
  PINNED: "Encrypted copy stored. Recording it on the chain.",
  REGISTERED: "Recorded on the chain. Checking.",
  AWAITING: "Checked. Needs the owner's decision.",
  READY: "Ready to send, exactly as proposed.",
  EXECUTING: "Sending.",
  BROADCAST: "Sent. Not in a block yet.",
  CONFIRMING: "In a block, not final yet.",
  REJECTED: "Nothing was sent.",
  EXECUTED: "Final on the chain.",
  SETTLED: "Final on the chain.",
  LAPSED: "Approval expired; outcome unknown.",
  FAILED: "Approved, but it failed.",
};

/** Texts that depend on the verdict. It may exist before it is recorded on the chain, and takes effect then. */
const early = {
  APPROVED: "Matches. Recording the verdict on the chain.",
  REJECTED: "Differs. Recording the verdict on the chain.",
  UNDECIDED: "Could not be verified. Recording the verdict on the chain.",
} as const;
const judged: Readonly<Partial<Record<Phase, Readonly<Partial<Record<string, string>>>>>> = {
  RECEIVED: early,
  PINNED: early,
  AWAITING: {
    APPROVED: "Matches. Needs the owner's decision.",
    UNDECIDED: "Could not be verified. Needs the owner's decision.",
  },
};

const reasons: Readonly<Record<string, string>> = {
  ORION: "Differs from the request.",
  USER: "Rejected by the owner.",
  AGENT: "Rejected by the agent.",
  ADMIN: "Rejected by an administrator.",
  POLICY: "Denied by the owner's policy.",
  EXPIRED: "Expired.",
  SUPERSEDED: "Replaced by a newer proposal.",
  WITHDRAWN: "Withdrawn.",
  PREFLIGHT: "A final check before sending failed.",
  REVERTED: "Reverted on the chain.",
  REPLACED: "Replaced by another transaction.",
  MISMATCH: "Something else was sent.",
  CUSTODY: "The custodian didn't send it.",
};

/** Texts for signatures where they differ. */
const signaturePhases: Readonly<Partial<Record<Phase, string>>> = {
  READY: "Ready to be signed, exactly as proposed.",
  REJECTED: "Nothing was signed.",
  EXECUTED: "The signature was released.",
  SETTLED: "The signature was released.",
};

/** Texts for batches where they differ. */
const batchPhases: Readonly<Partial<Record<Phase, string>>> = {
  READY: "Ready to be sent by the wallet, exactly as proposed.",
  EXECUTED: "The batch was released to the wallet.",
  SETTLED: "The batch was released to the wallet.",
};

/** Texts for a Safe's transactions where they differ. */
const confirmationPhases: Readonly<Partial<Record<Phase, string>>> = {
  READY: "Ready to be confirmed, exactly as proposed.",
  REJECTED: "Nothing was confirmed.",
  EXECUTED: "The confirmation was released.",
  SETTLED: "The confirmation was released.",
};

const phasesOf: Readonly<Record<NonNullable<TransactionView["shape"]>, typeof batchPhases>> = {
  tx: {},
  typedData: signaturePhases,
  calls: batchPhases,
  safeTransaction: confirmationPhases,
  message: signaturePhases,
  authorizationList: signaturePhases,
  userOperation: signaturePhases,
};

function plainPhase({ phase, shape, approvals }: TransactionView): string {
  const decision = approvals.orion[0]?.decision;
  const plain = phasesOf[shape ?? "tx"][phase] ?? phases[phase];
  return decision === undefined ? plain : (judged[phase]?.[decision] ?? plain);
}

/** Describes a phase in one sentence. */
export function phaseInWords(view: TransactionView): string {
  const { phase, reason, reasonDetail, needsOwner } = view;
  // For an unwatched chain, the detail says it all.
  const why = reason === null || reason === "UNWATCHED" ? "" : ` ${reasons[reason] ?? plainLine(reason)}`;
  const message = phase === "AWAITING" ? needsOwner?.message : undefined;
  const asked = message === undefined ? "" : ` ${plainLine(message)}.`;
  return `${plainPhase(view)}${asked}${why}${reasonDetail === null ? "" : ` ${plainLine(reasonDetail)}`}`;
}

const signs: Readonly<Record<TransactionView["status"], string>> = {
  PENDING: "…",
  APPROVED: "✓",
  EXECUTED: "✓",
  REJECTED: "✗",
  FAILED: "✗",
};

function paintOf({ status }: TransactionView, colours: Colours): (text: string) => string {
  if (status === "PENDING") return colours.yellow;
  return status === "REJECTED" || status === "FAILED" ? colours.red : colours.green;
}

/** Renders the status line, the proposal, all decisions and the next command. */
export function renderTransaction(view: TransactionView, page: TransactionPage): string {
  const { width, program = "countersign" } = page;
  const colours = coloursOf(page);
  const paint = paintOf(view, colours);
  const head = `${signs[view.status]} ${view.status}. ${phaseInWords(view)}`;
  const next = nextStep(view);
  return [
    ...wrap(head, width, { rest: "  " }).map((line) => colours.bold(paint(line))),
    "",
    ...rows(membersOf(view, page.now), width),
    ...(next === undefined ? [] : ["", ...wrap(next.why, width), `  ${program} ${next.command}`]),
  ].join("\n");
}

/** The mandate that approved it without the owner, and what the owner's policy decided. An older service names neither. */
function rulesOf({ mandateId, policyDecision }: TransactionView): Row[] {
  const rules: Row[] = mandateId == null ? [] : [["mandate", `approved under ${plainLine(mandateId)}`]];
  if (policyDecision == null) return rules;
  const { version, outcome, message } = policyDecision;
  const said = { allow: "allowed it", ask: "asks the owner", deny: "denied it" }[outcome];
  const why = message === null ? "" : `: ${plainLine(message)}`;
  return [...rules, ["policy", `version ${version} ${said}${why}`]];
}

function membersOf(view: TransactionView, now: Date): Row[] {
  const { requestHash, description, escrowAddress, chainId, intentProvenance } = view;
  const { transactionHash, alert, expiresAt, createdAt, notice } = view;
  // In a separate row: the request itself could claim to be signed.
  const source = intentProvenance === "user-signed" ? "signed by the owner" : "agent's wording, not signed";
  return [
    ["hash", plainLine(requestHash)],
    ["request", plainLine(description)],
    ["source", source],
    signedRow(view),
    ["account", `${plainLine(escrowAddress)} on chain ${chainId}`],
    ["verifier", verifierOf(view)],
    ["owner", ownerOf(view)],
    ...agentOf(view),
    ...rulesOf(view),
    ...(transactionHash === null ? [] : [["transaction", plainLine(transactionHash)] as const]),
    ...useRows(view),
    ...(alert === null ? [] : [["ALERT", plainLine(alert)] as const]),
    ...(notice === null ? [] : [["notice", plainLine(notice)] as const]),
    ["proposed", when(createdAt, now)],
    ...(expiresAt === null ? [] : [["expires", when(expiresAt, now)] as const]),
  ];
}

function verifierOf({ approvals, status }: TransactionView): string {
  const [verdict] = approvals.orion;
  if (verdict === undefined) return status === "PENDING" ? "checking" : "not checked";
  const { decision, analysis, confidence } = verdict;
  const [first = ""] = analysis.split("\n");
  return `${decision} (confidence ${Math.round(confidence * 100)} %). ${plainLine(first)}`;
}

/** An UNDECIDED verdict voids an earlier approval. */
function ownerOf({ approvals }: TransactionView): string {
  if (approvals.user.length === 0) return "no decision yet";
  const isUndecided = approvals.orion[0]?.decision === "UNDECIDED";
  return approvals.user
    .map(({ decision, verdictSeen }) =>
      isUndecided && verdictSeen === null ? `${decision} before the verdict (doesn't count)` : decision,
    )
    .join(", ");
}

const agentOf = ({ approvals }: TransactionView): Row[] =>
  approvals.apiKey.length === 0
    ? []
    : [["agent", `${approvals.apiKey.map(({ decision }) => decision).join(", ")} (noted; doesn't count)`]];

type Next = { readonly why: string; readonly command: string };

function nextStep({ phase, requestHash, status, executor, approvals }: TransactionView): Next | undefined {
  const hash = plainLine(requestHash);
  if (phase === "AWAITING") return { why: "Needs the owner's decision:", command: `approve ${hash}` };
  if (phase === "READY" && executor === "wallet")
    return {
      why: "Send it from the wallet, exactly as proposed. Then run:",
      command: `watch ${hash} --until executed`,
    };
  if ((status === "PENDING" || status === "APPROVED") && phase !== "LAPSED")
    return { why: "To follow it:", command: `watch ${hash}` };
  return approvals.orion[0]?.decision === "REJECTED"
    ? { why: "To see why:", command: `explain ${hash}` }
    : undefined;
}

/** Renders one phase in one line. */
export function renderProgress(view: TransactionView, elapsedMs: number, page: Page): string {
  const colours = coloursOf(page);
  const paint = paintOf(view, colours);
  const first = `${padTo(span(elapsedMs), 8)} ${padTo(view.phase, 10)} `;
  return wrap(phaseInWords(view), page.width, { first, rest: " ".repeat(columnsOf(first)) })
    .map((line) => paint(line))
    .join("\n");
}

const shorten = (text: string, columns: number): string => {
  if (columnsOf(text) <= columns) return text;
  let kept = "";
  for (const character of text) {
    if (columnsOf(kept + character) > columns - 1) break;
    kept += character;
  }
  return `${kept}…`;
};

/** Renders one line per transaction, newest first. The hash stays whole for copying. */
export function renderTable(views: readonly TransactionView[], page: TransactionPage): string {
  const colours = coloursOf(page);
  const lines = views.map((view) => {
    const paint = paintOf(view, colours);
    const age = span(page.now.getTime() - new Date(view.createdAt).getTime());
    const words = shorten(plainLine(view.description), Math.max(10, page.width - 30));
    const state = `${signs[view.status]} ${padTo(view.phase, 11)}`;
    return `${paint(state)} ${padTo(age, 12)} ${words}\n  ${colours.dim(plainLine(view.requestHash))}`;
  });
  return lines.join("\n");
}
