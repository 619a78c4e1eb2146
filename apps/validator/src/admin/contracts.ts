/**
 * npm run admin -w apps/validator -- contracts update …: asks a Sourcify-compatible service (API v2) about contracts and keeps the answers in
 * VALIDATOR_DATA_DIR, so that the validator itself needs no network.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Clock } from "@countersign/platform/clock";
import { z } from "zod";
import { fetchDocument, SourceRefused } from "../adapters/list-source/index.ts";
import type { Config } from "../config.ts";
import { isShownText, readContractFile, type ContractFile } from "../lists/index.ts";
import { ListRefused } from "./refused.ts";
import { writeAtomically } from "./write-atomically.ts";

type Parts = {
  readonly settings: Pick<Config, "VALIDATOR_DATA_DIR">;
  readonly clock: Clock;
  readonly print: (line: string) => void;
};

/** The largest verified ABIs have about 200 kB. */
const limits = { maxBytes: 2 * 1024 * 1024, timeoutMs: 30_000 };
const fields = "abi,deployment,compilation";

const Answer = z.looseObject({
  chainId: z.string(),
  address: z.string(),
  match: z.enum(["exact_match", "match"]).nullable(),
  verifiedAt: z.string().nullish(),
  abi: z.array(z.unknown()).nullish(),
  deployment: z
    .looseObject({
      blockNumber: z.union([z.string(), z.int()]).nullish(),
      transactionHash: z.string().nullish(),
    })
    .nullish(),
  compilation: z.looseObject({ name: z.string().nullish() }).nullish(),
});
type Answer = z.output<typeof Answer>;

type Asked = { readonly from: URL; readonly chain: number; readonly address: string };

/** Returns false for an unknown action. Throws `ListRefused` if one of the contracts is refused; then no file is written. */
export async function manageContracts(
  { settings, clock, print }: Parts,
  [action, ...args]: readonly string[],
): Promise<boolean> {
  if (action !== "update") return false;
  const { from, chain, addresses } = readOptions(args);
  const { VALIDATOR_DATA_DIR: directory } = settings;
  if (directory === undefined)
    throw new ListRefused("VALIDATOR_DATA_DIR is not set, so there is no folder for contracts");
  const drafts: { readonly name: string; readonly content: string; readonly about: string }[] = [];
  for (const address of addresses) {
    const asked = { from, chain, address };
    const name = `contract-${chain}-${address}.json`;
    checkAlone(directory, name, asked);
    const file = toFile(await ask(asked), asked, clock.now());
    const read = readContractFile(file, BigInt(Math.floor(clock.now().getTime() / 1000)));
    if ("fault" in read) throw new ListRefused(`${name}: ${read.fault}`);
    const about = `source ${file.verification ?? "unknown"}, ${read.functions.size} functions`;
    drafts.push({ name, content: `${JSON.stringify(file, null, 2)}\n`, about });
  }
  for (const { name, content, about } of drafts) {
    await writeAtomically(join(directory, name), content);
    print(`Updated. ${name}: ${about}.`);
  }
  return true;
}

function readOptions(args: readonly string[]): {
  readonly from: URL;
  readonly chain: number;
  readonly addresses: readonly string[];
} {
  const text = { type: "string" } as const;
  const options = { from: text, chain: text, address: { ...text, multiple: true } } as const;
  try {
    const { values } = parseArgs({ args: [...args], options, strict: true });
    const from = URL.parse(values.from ?? "");
    if (from === null) throw new ListRefused("--from <url of the service> is required");
    const chain = Number(values.chain);
    if (!Number.isSafeInteger(chain) || chain < 1) throw new ListRefused("--chain <chain id> is required");
    const addresses = (values.address ?? []).map((address) => address.toLowerCase());
    const wrong = addresses.find((address) => !/^0x[0-9a-f]{40}$/.test(address));
    if (addresses.length === 0 || wrong !== undefined)
      throw new ListRefused("--address <0x…> is required, once for each contract");
    return { from, chain, addresses };
  } catch (error) {
    if (error instanceof ListRefused) throw error;
    throw new ListRefused(error instanceof Error ? error.message : String(error));
  }
}

/** With two files about one contract the validator would keep its previous data. */
function checkAlone(directory: string, name: string, { chain, address }: Asked): void {
  const isSame = (file: string): boolean => {
    try {
      const { chainId, address: other } = JSON.parse(readFileSync(join(directory, file), "utf8")) as Record<
        string,
        unknown
      >;
      return chainId === chain && typeof other === "string" && other.toLowerCase() === address;
    } catch {
      return false;
    }
  };
  const other = readdirSync(directory).find(
    (file) => file !== name && file.startsWith("contract") && file.endsWith(".json") && isSame(file),
  );
  if (other !== undefined) throw new ListRefused(`${other} is about the same contract`);
}

async function ask({ from, chain, address }: Asked): Promise<Answer> {
  const url = new URL(from);
  url.pathname = `${from.pathname.replace(/\/+$/, "")}/v2/contract/${chain}/${address}`;
  url.searchParams.set("fields", fields);
  const { status, text } = await fetchDocument(url, limits).catch((error: unknown) => {
    throw error instanceof SourceRefused ? new ListRefused(error.message) : error;
  });
  const { data } = Answer.safeParse(parsed(text));
  if (data === undefined)
    throw new ListRefused(`the service answered ${status} with something that is not about a contract`);
  if (data.chainId !== String(chain) || data.address.toLowerCase() !== address)
    throw new ListRefused(`the service answered for another contract than ${address} on chain ${chain}`);
  if ((status === 404) !== (data.match === null))
    throw new ListRefused(`the service answered ${status}, and the answer says the opposite`);
  return data;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function deploymentOf({ deployment }: Answer): Pick<ContractFile, "deployment"> {
  const block = deployment?.blockNumber ?? null;
  const transaction = deployment?.transactionHash ?? null;
  if (block === null && transaction === null) return {};
  return {
    deployment: {
      ...(block === null ? {} : { block: String(block) }),
      ...(transaction === null ? {} : { transaction }),
    },
  };
}

/** Leaves out members that the service does not have, so that they count as unknown. It knows the block of a deployment and not its time. */
function toFile(answer: Answer, { from, chain, address }: Asked, now: Date): ContractFile {
  const { match, verifiedAt, abi, compilation } = answer;
  const base = {
    ...{ chainId: chain, address, source: `${from.host}${from.pathname}`.replace(/\/+$/, "").slice(0, 80) },
    asOf: now.toISOString().slice(0, 10),
  };
  if (match === null) return { ...base, verification: "none" };
  const name = compilation?.name ?? "";
  return {
    ...base,
    ...(isShownText(name) ? { name } : {}),
    verification: match === "exact_match" ? "exact" : "partial",
    ...(typeof verifiedAt === "string" ? { verifiedAt } : {}),
    ...deploymentOf(answer),
    ...(Array.isArray(abi) ? { abi } : {}),
  };
}
