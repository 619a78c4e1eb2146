import type { Clock } from "@countersign/platform/clock";
import { newId } from "@countersign/platform/ids";
import type { Account } from "../accounts/index.ts";
import { hashSignature } from "../adapters/registry/index.ts";
import type { LimitedWallets } from "../adapters/wallets/index.ts";
import type { Flows } from "../platform/flows/index.ts";
import { pgpKeyErrors } from "./errors.ts";
import { registerKeyFlow, type Hex, type PgpKey } from "./pgp-key.ts";
import { readPublicKey } from "./read-public-key.ts";
import type { PgpKeyStore } from "./store.ts";

type Parts = {
  readonly store: PgpKeyStore;
  readonly wallets: LimitedWallets;
  readonly flows: Pick<Flows, "start">;
  readonly clock: Clock;
  /** The chain on which a contract wallet's signature is checked. */
  readonly homeChainId: number;
  readonly hasRegistry: boolean;
};

type Request = {
  readonly account: Account;
  readonly pgpPublicKey: string;
  readonly signature: Hex;
  readonly ip: string;
};

/** Registers the account's OpenPGP key: stored at once, recorded on the chain afterwards. */
export const makeRegisterKey = ({ store, wallets, flows, clock, homeChainId, hasRegistry }: Parts) =>
  async function registerKey({ account, pgpPublicKey, signature, ip }: Request): Promise<PgpKey> {
    const fingerprint = await readPublicKey(pgpPublicKey, clock.now());
    const verdict = await wallets.verifyText({
      address: account,
      text: pgpPublicKey,
      signature,
      chainId: homeChainId,
      ip,
    });
    if (verdict === "unavailable") throw pgpKeyErrors.walletUnavailable();
    if (verdict === "invalid") throw pgpKeyErrors.badSignature();
    const key = await store.register(
      {
        id: newId(),
        account,
        fingerprint,
        armoured: pgpPublicKey,
        signature: Buffer.from(signature.slice(2), "hex"),
        signatureHash: hashSignature(signature),
      },
      { hasRegistry },
    );
    if (key.chainState === "waiting") await flows.start({ flow: registerKeyFlow, key: key.id });
    return key;
  };
