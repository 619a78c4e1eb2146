// Decides about a transaction by its owner's policy, in the database transaction that decides about its approval.
import type { Account } from "../../accounts/index.ts";
import { readMoves, type Move } from "../../mandates/index.ts";
import type { Db } from "../../platform/db/connect.ts";
import { readPrices } from "../../prices/index.ts";
import { loadCedar, type Cedar } from "../cedar.ts";
import { decide, type Decision, type Policy } from "../decide.ts";
import { readPolicy } from "../rules.ts";
import { listKnown, readNow } from "./facts.ts";
import { findCurrent, type StoredPolicy } from "./policies.ts";

type Asked = {
  readonly account: Account;
  readonly agent: string;
  readonly transactionId: string;
  readonly chainId: number;
  readonly value: bigint;
  readonly to: string | null;
  readonly own: readonly string[];
  /** From a report that a signed verdict covers. Undefined without such a report. */
  readonly effects: unknown;
  readonly isSigned: boolean;
  /** Data to sign in place of a transaction. */
  readonly isSignature: boolean;
};

/** The decision, and the version of the policy that made it. */
type Judged = {
  version: number;
  outcome: Decision["outcome"];
  rules: { id: string; reason: string }[];
  message: string | null;
};

const cachedAtMost = 256;
const cached = new Map<string, Policy>();

/** Returns the parsed policy. Throws if its text cannot be read, which was checked before it was signed. */
export function parsePolicy(
  cedar: Cedar,
  { digest: key, text }: Pick<StoredPolicy, "digest" | "text">,
): Policy {
  const known = cached.get(key);
  if (known !== undefined) return known;
  const read = readPolicy(cedar, text);
  if ("faults" in read) throw new Error(`a stored policy is not valid: ${read.faults[0]?.message ?? ""}`);
  const [oldest] = cached.keys();
  if (cached.size >= cachedAtMost && oldest !== undefined) cached.delete(oldest);
  const policy = { key, rules: read.rules };
  cached.set(key, policy);
  return policy;
}

const partiesOf = (moves: readonly Move[] = []): readonly string[] => [
  ...new Set(moves.flatMap(({ parties }) => parties)),
];

const assetsOf = (moves: readonly Move[] = []): readonly string[] =>
  moves.flatMap(({ amounts }) => amounts.map(({ asset }) => asset));

async function evaluate(tx: Db, asked: Asked, current: StoredPolicy): Promise<Decision> {
  const moves = readMoves(asked.effects, asked);
  const [known, now] = [await listKnown(tx, asked, partiesOf(moves)), await readNow(tx, asked)];
  try {
    const cedar = await loadCedar();
    const { timeZone } = current;
    const policy = parsePolicy(cedar, current);
    const readsUsd = policy.rules.some(({ needs }) => needs.includes("usd"));
    const prices = readsUsd ? await readPrices(tx, assetsOf(moves)) : new Map();
    return decide(cedar, policy, { ...asked, moves, known, ...now, timeZone, prices });
  } catch {
    return { outcome: "ask", rules: [], message: "Your policy could not be evaluated" };
  }
}

/**
 * Returns whether the owner is asked because a contract is unknown. Only a policy with a rule about that (`byEffect`) leaves it to the
 * mandates. The caller holds the ledger's lock.
 */
export async function asksByEffect(tx: Db, asked: Asked): Promise<boolean> {
  const moves = readMoves(asked.effects, asked) ?? [];
  if (!moves.some(({ byEffect }) => byEffect === true)) return false;
  const current = await findCurrent(tx, asked.account);
  if (current === undefined || current.text.trim() === "") return true;
  try {
    return !parsePolicy(await loadCedar(), current).rules.some(({ readsByEffect }) => readsByEffect);
  } catch {
    return true;
  }
}

/** Returns the decision of the newest policy. Undefined if the account has none. The caller holds the ledger's lock. */
export async function judgeByPolicy(tx: Db, asked: Asked): Promise<Judged | undefined> {
  const current = await findCurrent(tx, asked.account);
  if (current === undefined || current.text.trim() === "") return undefined;
  const { outcome, rules, message } = await evaluate(tx, asked, current);
  return { version: current.version, outcome, rules: [...rules], message };
}
