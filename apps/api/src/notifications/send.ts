import type { Posted } from "../adapters/webhooks/index.ts";
import type { SecretStore } from "../platform/secrets/index.ts";
import type { Channel, ChannelKind, Waiting } from "./channel.ts";
import type { ChannelStore } from "./store/channels.ts";

/** Sends some messages as one, once. Programs get each alone. */
export type Send = (messages: readonly [Waiting, ...Waiting[]]) => Promise<Posted>;

/** Prepares to send messages to a target. The channel's current secret is the first. */
export type OpenKind = (opened: { readonly target: string; readonly secrets: readonly Buffer[] }) => Send;

type Parts = {
  readonly channels: Pick<ChannelStore, "readSecretIds">;
  readonly secrets: Pick<SecretStore, "read">;
  readonly kinds: Readonly<Record<ChannelKind, OpenKind>>;
};

/** Prepares to send messages of a channel. Undefined if it has been deleted. */
export type OpenChannel = (channel: Pick<Channel, "id" | "kind" | "target">) => Promise<Send | undefined>;

export const makeOpenChannel =
  ({ channels, secrets, kinds }: Parts): OpenChannel =>
  async ({ id, kind, target }) => {
    const ids = await channels.readSecretIds(id);
    if (ids === undefined) return undefined;
    const inUse = [ids.secretId, ids.previousSecretId].filter((secretId) => secretId !== null);
    const values = await Promise.all(inUse.map(async (secretId) => (await secrets.read(secretId)).value));
    return kinds[kind]({ target, secrets: values });
  };
