// A provider of wallets that are controlled by a quorum of P-256 keys, which sign each request.
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

/** Each throws `ProviderRefused` for a final refusal, and a plain error if the provider could not be reached. */
export type WalletProvider = {
  /** With an idempotency key it is created once, and each call returns it. */
  readonly createQuorum: (shape: QuorumShape, idempotencyKey?: string) => Promise<{ readonly id: string }>;
  /** Needs our signature to be sufficient in the current quorum. Refused otherwise. */
  readonly updateQuorum: (id: string, shape: QuorumShape) => Promise<void>;
  /** Needs the same. */
  readonly deleteQuorum: (id: string) => Promise<void>;
  readonly readWallet: (walletId: string) => Promise<KeptWallet>;
  readonly openSender: (walletId: string) => Sender;
};

/** Their ids become part of a path, so characters that could change the path are rejected. */
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
