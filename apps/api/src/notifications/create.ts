import { newId } from "@countersign/platform/ids";
import type { Account } from "../accounts/index.ts";
import type { SecretStore } from "../platform/secrets/index.ts";
import type { Channel } from "./channel.ts";
import { checkUrl, type IsUrlAllowed } from "./check-url.ts";
import { webhookErrors } from "./errors.ts";
import { issueSecret, type WithSecret } from "./issue-secret.ts";
import type { ChannelStore } from "./store/channels.ts";

type Parts = {
  readonly channels: Pick<ChannelStore, "add">;
  readonly secrets: Pick<SecretStore, "save" | "retire">;
  readonly isUrlAllowed: IsUrlAllowed;
};

const webhooksAtMost = 10;

export const makeCreateWebhook = ({ channels, secrets, isUrlAllowed }: Parts) =>
  async function createWebhook(
    account: Account,
    chosen: Pick<Channel, "target" | "description" | "types" | "agents">,
  ): Promise<WithSecret> {
    checkUrl(chosen.target, isUrlAllowed);
    const { secretId, secret } = await issueSecret(secrets);
    const made = { id: newId(), account, kind: "webhook" as const, ...chosen, secretId, isConfirmed: true };
    const channel = await channels.add(made, webhooksAtMost);
    if (channel !== undefined) return { channel, secret };
    await secrets.retire(secretId);
    throw webhookErrors.tooMany();
  };
