import type { SecretStore } from "../platform/secrets/index.ts";
import type { ChannelKey } from "./channel.ts";
import type { SharedErrors } from "./errors.ts";
import type { ChannelStore } from "./store/channels.ts";

type Parts = {
  readonly channels: Pick<ChannelStore, "remove">;
  readonly secrets: Pick<SecretStore, "retire">;
  readonly errors: Pick<SharedErrors, "notFound">;
};

export const makeRemoveChannel = ({ channels, secrets, errors }: Parts) =>
  async function removeChannel(key: ChannelKey): Promise<void> {
    const left = await channels.remove(key);
    if (left === undefined) throw errors.notFound();
    for (const id of left) await secrets.retire(id);
  };
