/** The form of `contract-….json`: what one contract is called, when it was deployed, and whether its source is verified. */
import { z } from "zod";
import type { Verification } from "../../contract-data.ts";
import type { Address } from "../../proposal.ts";
import type { Fault } from "../list-file.ts";
import { readAbiFunctions, type NamedFunction } from "./read-abi.ts";
import { ChainId, EvmAddress, ShownText } from "./shown-text.ts";

const Deployment = z.strictObject({
  block: z
    .string()
    .regex(/^\d{1,20}$/)
    .optional(),
  transaction: z
    .string()
    .regex(/^0x[0-9a-fA-F]{64}$/)
    .optional(),
  at: z.iso.datetime().optional(),
});

const ContractFile = z.strictObject({
  chainId: ChainId,
  address: EvmAddress,
  source: ShownText,
  asOf: z.iso.date(),
  name: ShownText.optional(),
  verification: z.enum(["exact", "partial", "none"]).optional(),
  verifiedAt: z.iso.datetime().optional(),
  deployment: Deployment.optional(),
  abi: z.array(z.unknown()).max(4_000).optional(),
});

export type ContractFile = z.input<typeof ContractFile>;

export type ReadContract = {
  readonly chain: number;
  readonly address: Address;
  readonly source: string;
  readonly asOf: string;
  readonly name: string | null;
  readonly verification: Verification | null;
  /** Unix seconds. */
  readonly deployedAt: number | null;
  /** Unix seconds of the earliest moment at which it is known to exist. */
  readonly existedAt: number | null;
  readonly functions: ReadonlyMap<string, NamedFunction>;
};

const secondsOf = (time: string | undefined): number | null =>
  time === undefined ? null : Math.floor(Date.parse(time) / 1000);

type Times = Readonly<Record<"asOf" | "deployedAt" | "verifiedAt", number | null>>;

function faultOfTimes({ asOf, deployedAt, verifiedAt }: Times, now: bigint): string | null {
  const isFuture = (time: number | null): boolean => time !== null && BigInt(time) > now + 86_400n;
  if ([asOf, deployedAt, verifiedAt].some(isFuture)) return "it has a time in the future";
  return deployedAt !== null && verifiedAt !== null && verifiedAt < deployedAt
    ? "verifiedAt is before the deployment"
    : null;
}

/** `now`: unix seconds. The fault is in words for the operator. */
export function readContractFile(content: unknown, now: bigint): ReadContract | Pick<Fault, "fault"> {
  const parsed = ContractFile.safeParse(content);
  if (!parsed.success) return { fault: z.prettifyError(parsed.error) };
  const { chainId, address, source, asOf, name = null, abi = [], ...file } = parsed.data;
  const { verification = null } = file;
  const functions = readAbiFunctions(abi);
  if ("fault" in functions) return functions;
  const [deployedAt, verifiedAt] = [secondsOf(file.deployment?.at), secondsOf(file.verifiedAt)];
  const fault = faultOfTimes({ asOf: secondsOf(`${asOf}T00:00:00Z`), deployedAt, verifiedAt }, now);
  if (fault !== null) return { fault };
  const existedAt = deployedAt ?? (verification === "none" ? null : verifiedAt);
  return {
    ...{ chain: chainId, address, source, asOf, name, verification },
    ...{ deployedAt, existedAt, functions },
  };
}
