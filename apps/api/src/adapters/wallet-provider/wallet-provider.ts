// A provider of wallets that a quorum of P-256 keys moves: whoever wants something of a wallet signs the request itself.
import type { KeyObject } from "node:crypto";
import { z } from "zod";
import type { Hex } from "@countersign/wire";
import type { Sender } from "../sender.ts";
import { ask, type Access } from "./call.ts";
import { openSender } from "./open-sender.ts";

type QuorumShape = {
  readonly displayName: string;
  /** At least one. */
  readonly publicKeys: readonly KeyObject[];
  readonly threshold: number;
};

type KeptWallet = {
  readonly id: string;
  /** In lower case. */
  readonly address: Hex;
};

/** Each throws `ProviderRefused` for a refusal that stands, and a plain error when they could not be asked. */
export type WalletProvider = {
  /** With a key for idempotency the same is made once, and each time answered. */
  readonly createQuorum: (shape: QuorumShape, idempotencyKey?: string) => Promise<{ readonly id: string }>;
  /** Only with our signature: if ours is not enough among those that the quorum has now, it is refused. */
  readonly updateQuorum: (id: string, shape: QuorumShape) => Promise<void>;
  /** The same holds. */
  readonly deleteQuorum: (id: string) => Promise<void>;
  readonly readWallet: (walletId: string) => Promise<KeptWallet>;
  readonly openSender: (walletId: string) => Sender;
};

/** An id of theirs becomes part of a path; what could make it another path is no id. */
const Id = z.string().regex(/^[A-Za-z0-9:_-]{1,200}$/);

const Quorum = z.object({ id: Id });

const Wallet = z.object({
  id: z.string(),
  address: z
    .string()
    .regex(/^0x[0-9a-fA-F]{40}$/)
    .transform((address) => address.toLowerCase() as Hex),
});

const bodyOf = ({ displayName, publicKeys, threshold }: QuorumShape) => ({
  public_keys: publicKeys.map((key) => key.export({ type: "spki", format: "der" }).toString("base64")),
  authorization_threshold: threshold,
  display_name: displayName,
});

export function makeWalletProvider(options: Access): WalletProvider {
  const access = { ...options, url: options.url.replace(/\/+$/, "") };
  const quorumPath = (id: string): string => `/v1/key_quorums/${Id.parse(id)}`;
  return {
    createQuorum: async (shape, idempotencyKey) =>
      ask(
        access,
        {
          method: "POST",
          path: "/v1/key_quorums",
          body: bodyOf(shape),
          ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
        },
        Quorum,
      ),

    updateQuorum: async (id, shape) => {
      await ask(access, { method: "PATCH", path: quorumPath(id), body: bodyOf(shape) }, z.unknown());
    },

    deleteQuorum: async (id) => {
      await ask(access, { method: "DELETE", path: quorumPath(id) }, z.unknown());
    },

    readWallet: async (walletId) => {
      const path = `/v1/wallets/${Id.parse(walletId)}`;
      const { id, address } = await ask(access, { method: "GET", path }, Wallet);
      if (id !== walletId) throw new Error("The wallet provider answered about another wallet");
      return { id, address };
    },

    openSender: (walletId) => openSender(access, Id.parse(walletId)),
  };
}
