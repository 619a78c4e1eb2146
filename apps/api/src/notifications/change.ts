import type { Channel, ChannelKey } from "./channel.ts";
import { checkUrl, type IsUrlAllowed } from "./check-url.ts";
import type { SharedErrors } from "./errors.ts";
import type { ChannelChange, ChannelStore } from "./store/channels.ts";

type Parts = {
  readonly channels: Pick<ChannelStore, "change">;
  readonly errors: Pick<SharedErrors, "notFound">;
  /** Channels of other kinds have no URL to change. */
  readonly isUrlAllowed?: IsUrlAllowed;
};

export const makeChangeChannel = ({ channels, errors, isUrlAllowed = () => false }: Parts) =>
  async function changeChannel(key: ChannelKey, change: ChannelChange): Promise<Channel> {
    if (change.target !== undefined) checkUrl(change.target, isUrlAllowed);
    const changed = await channels.change(key, change);
    if (changed === undefined) throw errors.notFound();
    return changed;
  };
