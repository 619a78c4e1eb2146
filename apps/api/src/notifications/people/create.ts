import { newId } from "@countersign/platform/ids";
import type { Account } from "../../accounts/index.ts";
import { isBrowserKey, type Subscription } from "../../adapters/push/index.ts";
import type { SecretStore } from "../../platform/secrets/index.ts";
import type { Channel } from "../channel.ts";
import type { IsUrlAllowed } from "../check-url.ts";
import { channelErrors } from "../errors.ts";
import type { ChosenPreferences } from "../schedule.ts";
import type { ChannelStore } from "../store/channels.ts";
import { readChatUrl, telegramPath } from "./chat-address.ts";
import type { Configured } from "./configured.ts";
import type { Address } from "./inputs.ts";

type Parts = {
  readonly channels: Pick<ChannelStore, "add">;
  readonly secrets: Pick<SecretStore, "save" | "retire">;
  /** Whether a push service's address may be posted to, before its name is resolved. */
  readonly isUrlAllowed: IsUrlAllowed;
  readonly configured: Configured;
};

const channelsAtMost = 20;
const purpose = "channel-address";

/** An e-mail address is not secret. */
type Place = { readonly target: string; readonly secret: string | null };

/** Shows the push service and the end of the endpoint. The whole endpoint allows anyone to post. */
function placeOfPush({ endpoint, keys }: Subscription, isUrlAllowed: IsUrlAllowed): Place {
  const url = URL.parse(endpoint);
  if (url === null || !isUrlAllowed(url) || !isBrowserKey(keys.p256dh))
    throw channelErrors.subscriptionNotAllowed();
  const secret = JSON.stringify({ endpoint, keys: { p256dh: keys.p256dh, auth: keys.auth } });
  return { target: `${url.host}/…${endpoint.slice(-4)}`, secret };
}

/** Separates the secret of an address from the part that is shown. */
function placeOf(address: Address, isUrlAllowed: IsUrlAllowed): Place {
  switch (address.kind) {
    case "email":
      return { target: address.address, secret: null };
    case "telegram":
      return { target: address.chatId, secret: telegramPath(address.botToken) };
    case "push":
      return placeOfPush(address.subscription, isUrlAllowed);
    case "slack":
    case "discord": {
      const { target, path } = readChatUrl(address.kind, address.url);
      return { target, secret: path };
    }
  }
}

/** Throws if the operator has not configured what a kind needs. */
function requireConfigured(kind: Address["kind"], { hasMail, pushKey }: Configured): void {
  if (kind === "email" && !hasMail) throw channelErrors.mailUnavailable();
  if (kind === "push" && pushKey === null) throw channelErrors.pushUnavailable();
}

export const makeCreateChannel = ({ channels, secrets, isUrlAllowed, configured }: Parts) =>
  async function createChannel(
    account: Account,
    address: Address,
    chosen: Pick<Channel, "description" | "types" | "agents"> & ChosenPreferences,
  ): Promise<Channel> {
    requireConfigured(address.kind, configured);
    const { target, secret } = placeOf(address, isUrlAllowed);
    const secretId = secret === null ? null : await secrets.save({ purpose, value: Buffer.from(secret) });
    const made = { id: newId(), account, kind: address.kind, target, ...chosen, secretId };
    const channel = await channels.add({ ...made, isConfirmed: address.kind !== "email" }, channelsAtMost);
    if (channel !== undefined) return channel;
    if (secretId !== null) await secrets.retire(secretId);
    throw channelErrors.tooMany();
  };
