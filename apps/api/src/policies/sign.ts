// Drafts and stores versions of a policy. Only the owner's wallet changes one.
import { hashPolicy, policyTypedData, type Hex, type WireDomain } from "@countersign/wire";
import type { Account } from "../accounts/index.ts";
import type { LimitedWallets } from "../adapters/wallets/index.ts";
import { typedDataJson } from "../platform/typed-data-json.ts";
import { loadCedar } from "./cedar.ts";
import { policyErrors } from "./errors.ts";
import { readPolicy } from "./rules.ts";
import { nextVersion, previousOf, type PolicyStore } from "./store/policies.ts";
import type { Terms } from "./terms.ts";

type Parts = {
  readonly store: Pick<PolicyStore, "add" | "current">;
  readonly wallets: Pick<LimitedWallets, "verifyTypedData">;
  readonly domain: WireDomain;
};

/** Throws with the first fault and its position. */
async function requireValid(text: string): Promise<void> {
  const read = readPolicy(await loadCedar(), text);
  if (!("faults" in read)) return;
  const [first] = read.faults;
  const place = first?.line == null ? "" : ` (line ${first.line}, column ${first.column ?? 1})`;
  throw policyErrors.notValid({ message: `text: ${first?.message ?? "not valid"}${place}` });
}

export type Drafted = {
  readonly terms: Terms;
  readonly typedData: Record<string, unknown>;
  readonly digest: Hex;
};

/** Completes a policy with account, installation and version. Stores nothing. */
export const makeDraftPolicy =
  ({ store, domain }: Pick<Parts, "store" | "domain">) =>
  async (account: Account, { text, timeZone }: Pick<Terms, "text" | "timeZone">): Promise<Drafted> => {
    await requireValid(text);
    const current = await store.current(account);
    const terms: Terms = {
      ...{ account, homeChainId: domain.chainId, inbox: domain.inbox.toLowerCase() as Hex },
      ...{ version: nextVersion(current), previous: previousOf(current), timeZone, text },
    };
    return { terms, typedData: typedDataJson(policyTypedData(terms)), digest: hashPolicy(terms) };
  };

type Signed = { readonly terms: Terms; readonly signature: Hex; readonly ip: string };

/** Stores a version that the account's wallet signed. The session alone changes nothing. */
export const makeSetPolicy =
  ({ store, wallets, domain }: Parts) =>
  async (account: Account, { terms, signature, ip }: Signed): Promise<void> => {
    if (terms.account !== account) throw policyErrors.otherAccount();
    if (terms.homeChainId !== domain.chainId || terms.inbox !== domain.inbox.toLowerCase())
      throw policyErrors.otherInstallation();
    await requireValid(terms.text);
    const verdict = await wallets.verifyTypedData({
      ...{ address: account, typedData: policyTypedData(terms), signature, chainId: terms.homeChainId, ip },
    });
    if (verdict === "unavailable") throw policyErrors.walletUnavailable();
    if (verdict === "invalid") throw policyErrors.wrongSignature();
    await store.add({ terms, digest: hashPolicy(terms), signature });
  };
