export const flowName = "Notify";

/** A run sends a channel's waiting messages. Each has a number, because the engine runs one key once. */
export const runKey = (channelId: string, run: number): string => `${channelId}.${run}`;

export const channelOf = (key: string): string => key.slice(0, key.lastIndexOf("."));
