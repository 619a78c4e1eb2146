import { generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { makeLog } from "@countersign/platform/log";
import type { Wallet } from "../accounts/index.ts";
import type { Access, Custodian } from "../adapters/custodian/index.ts";
import type { Completed } from "./integration.ts";
import { makeLearnWallet } from "./learn-wallet.ts";

const address = "0x52908400098527886e0f7030069857d2e4169ee7";
const account = "0xde709f2102306220921060314715629080e2fb77";
const integration: Completed = {
  ...{
    id: "1",
    account,
    type: "execution",
    csr: "",
    keySecretId: "2",
    wallet: null,
    cosignerPublicKey: null,
  },
  completion: { credentialSecretId: "3", vaultAccountId: "0", environment: "mainnet", region: "US" },
  createdAt: new Date(0),
};
const access: Access = {
  ...{ apiKey: "a", vaultAccountId: "0", environment: "mainnet", region: "US" },
  privateKey: generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey,
};

/** Asks a custodian with these answers. Also returns what was registered and stored. */
async function learn(custodian: Partial<Custodian>, isUnchanged = true) {
  const done: string[] = [];
  const learnWallet = makeLearnWallet({
    store: {
      noteWallet: async (_, wallet) => {
        done.push(`noted ${wallet}`);
        return isUnchanged;
      },
    },
    wallets: {
      register: async (wallet) => {
        done.push(`registered ${wallet.address}`);
        return { ...wallet, createdAt: new Date(0) } satisfies Wallet;
      },
    },
    custodian: {
      check: async () => "good",
      readAddress: async () => address,
      openSender: () => expect.unreachable("nothing is sent"),
      ...custodian,
    },
    openAccess: async () => access,
    chainIds: [1, 2, 3],
    log: makeLog({ app: "test", level: "silent" }),
  });
  return { learned: await learnWallet(integration), done };
}
const taken = [`registered ${address}`, `noted ${address}`];

describe("the wallet of a vault", () => {
  test("is registered in lower case, from the first chain that has one", async () => {
    const asked: number[] = [];
    const readAddress: Custodian["readAddress"] = async (_, chainId) => {
      asked.push(chainId);
      return chainId === 2 ? `0x${address.slice(2).toUpperCase()}` : undefined;
    };
    expect(await learn({ readAddress })).toEqual({ learned: "good", done: taken });
    expect(asked).toEqual([1, 2]);
  });
  test("is found although the custodian does not support another chain", async () => {
    const readAddress: Custodian["readAddress"] = async (_, chainId) => {
      if (chainId !== 3) throw new Error("400");
      return address;
    };
    expect(await learn({ readAddress })).toEqual({ learned: "good", done: taken });
  });
  test.each(["refused", "no such vault", "unreachable"] as const)(
    "is not looked up if %s",
    async (answer) => {
      const readAddress = () => expect.unreachable("that is known already");
      expect(await learn({ check: async () => answer, readAddress })).toEqual({ learned: answer, done: [] });
    },
  );
  test("is missing if no chain has an address", async () => {
    expect(await learn({ readAddress: async () => undefined })).toEqual({ learned: "no address", done: [] });
  });
  test("is unknown if the custodian cannot be reached, for any reason", async () => {
    const fail = (): Promise<never> => Promise.reject(new Error("away"));
    expect(await learn({ readAddress: fail })).toEqual({ learned: "unreachable", done: [] });
    expect(await learn({ check: fail })).toEqual({ learned: "unreachable", done: [] });
  });
  test("is not stored if the integration changed in the meantime", async () => {
    expect((await learn({}, false)).learned).toBe("changed meanwhile");
  });
});
