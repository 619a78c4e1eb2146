// Describes a transaction in a line or two, as far as it is known without decrypting anything.
import { formatEther } from "viem/utils";
import { z } from "zod";

/** The stored facts about a transaction. Null: encrypted, or not known yet. */
export type Facts = {
  readonly chainId: number;
  readonly to: string | null;
  readonly value: bigint | null;
  readonly hasCalldata: boolean;
  /** The net effect in the validator's report. */
  readonly net: unknown;
  /** The name of the agent, which the agent may have chosen. */
  readonly agentName: string | null;
  readonly deadline: Date;
};

const chains: Readonly<Record<number, { readonly name: string; readonly coin: string }>> = {
  1: { name: "Ethereum", coin: "ETH" },
  10: { name: "OP Mainnet", coin: "ETH" },
  56: { name: "BNB Smart Chain", coin: "BNB" },
  137: { name: "Polygon", coin: "POL" },
  8453: { name: "Base", coin: "ETH" },
  42_161: { name: "Arbitrum One", coin: "ETH" },
  43_114: { name: "Avalanche", coin: "AVAX" },
  11_155_111: { name: "Sepolia", coin: "ETH" },
};

const chainOf = (chainId: number) => chains[chainId] ?? { name: `chain ${chainId}`, coin: "of its coin" };

// Only texts of a fixed form are repeated: a report quotes what agents and contracts say.
const Party = z.string().regex(/^0x[0-9a-fA-F]{40}$/);
const Symbol = z.string().regex(/^[A-Za-z0-9]{1,12}(?:\.e)?$/);
const Decimal = z.string().regex(/^\d{1,60}(?:\.\d{1,40})?$/);
const Most = z.union([Decimal, z.enum(["unlimited", "everything"])]);

const Asset = z.object({ kind: z.string(), symbol: z.unknown() });
const Payment = Asset.extend({ party: z.unknown(), most: z.unknown() });
const Allowance = z.object({ spender: z.unknown(), asset: Asset.nullable(), most: z.unknown() });
const Net = z.object({
  others: z.array(Payment),
  leaves: z.array(z.unknown()),
  authority: z.array(Allowance),
  admin: z.array(z.unknown()),
});
type Net = z.infer<typeof Net>;

const partyOf = (party: unknown): string => Party.safeParse(party).data ?? "another address";
const symbolOf = ({ symbol }: z.infer<typeof Asset>): string =>
  Symbol.safeParse(symbol).data ?? "of a token that we do not know";

function amountOf(asset: z.infer<typeof Asset>, most: unknown): string {
  if (asset.kind === "nft") return "an NFT";
  const amount = Most.safeParse(most).data;
  if (amount === undefined) return `an amount ${symbolOf(asset)}`;
  return amount === "everything" ? `all ${symbolOf(asset)}` : `${amount} ${symbolOf(asset)}`;
}

const linesAtMost = 3;

function paymentsOf({ others }: Net, on: string): readonly string[] {
  const lines = others.map(
    (payment) => `Send ${amountOf(payment, payment.most)} to ${partyOf(payment.party)} on ${on}`,
  );
  return lines.length <= linesAtMost
    ? lines
    : [...lines.slice(0, linesAtMost), `and ${lines.length - linesAtMost} more payments`];
}

const accessOf = ({ authority }: Net, on: string): readonly string[] =>
  authority
    .filter(({ most }) => most !== "0")
    .slice(0, linesAtMost)
    .map(({ spender, asset, most }) =>
      asset === null
        ? `Let ${partyOf(spender)} act as your wallet on ${on}`
        : `Let ${partyOf(spender)} spend ${amountOf(asset, most)} on ${on}`,
    );

/** Reads the calldata only as far as it needs no knowledge of contracts. */
function callOf({ chainId, to, value, hasCalldata }: Facts): readonly string[] {
  if (to === null || value === null) return ["Its content is encrypted. Open it to read what it does"];
  const { name, coin } = chainOf(chainId);
  const sum = `${formatEther(value)} ${coin}`;
  if (!hasCalldata) return [`Send ${sum} to ${to} on ${name}`];
  return [`Call the contract ${to}${value === 0n ? "" : ` with ${sum}`} on ${name}`];
}

/** Returns what a transaction does: its payments and the access that it gives. Contains no text of an agent. */
export function effectLines(facts: Facts): readonly string[] {
  const { data: net } = Net.safeParse(facts.net);
  const on = chainOf(facts.chainId).name;
  const lines = net === undefined ? [] : [...paymentsOf(net, on), ...accessOf(net, on)];
  if (net !== undefined && net.admin.length > 0) lines.unshift(`Change who controls your wallet on ${on}`);
  return lines.length > 0 ? lines : callOf(facts);
}
