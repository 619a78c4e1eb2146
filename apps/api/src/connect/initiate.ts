import { hashOfCode, makeCode, presentable } from "./connection-code.ts";
import type { ConnectStore } from "./store.ts";

const lifeSeconds = 10 * 60;

type Parts = { readonly store: ConnectStore; readonly uiUrl: string };

type Initiator = {
  readonly codeChallenge: string | null;
  readonly ip: string;
  readonly userAgent: string;
};

/** Creates a code for an agent to poll with, and the address of the page where its owner approves it. */
export const makeInitiate = ({ store, uiUrl }: Parts) =>
  async function initiate({
    codeChallenge,
    ip,
    userAgent,
  }: Initiator): Promise<{ readonly code: string; readonly authUrl: string }> {
    await store.expireConnections();
    const code = makeCode();
    await store.add({
      codeHash: hashOfCode(code),
      codeChallenge,
      initiatorIp: ip,
      userAgent: presentable(userAgent),
      lifeSeconds,
    });
    return { code, authUrl: `${uiUrl}/connect?code=${code}` };
  };
