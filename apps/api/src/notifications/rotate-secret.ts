import type { SecretStore } from "../platform/secrets/index.ts";
import type { ChannelKey } from "./channel.ts";
import { webhookErrors } from "./errors.ts";
import { issueSecret, type WithSecret } from "./issue-secret.ts";
import type { ChannelStore } from "./store/channels.ts";

type Parts = {
  readonly channels: Pick<ChannelStore, "find" | "rotate">;
  readonly secrets: Pick<SecretStore, "save" | "retire">;
};

/** Retires the secret before the previous one: at most two sign at a time. */
export const makeRotateSecret = ({ channels, secrets }: Parts) =>
  async function rotateSecret(key: ChannelKey, graceSeconds: number): Promise<WithSecret> {
    if ((await channels.find(key)) === undefined) throw webhookErrors.notFound();
    const { secretId, secret } = await issueSecret(secrets);
    const rotated = await channels.rotate(key, { secretId, graceSeconds });
    const unused = rotated === undefined ? secretId : rotated.retiredId;
    if (unused !== null) await secrets.retire(unused);
    if (rotated === undefined) throw webhookErrors.notFound();
    return { channel: rotated.channel, secret };
  };
