// Requests that name the recipient as the Ethereum Name Service does. `bob.eth` belongs to the friend.
import { encodeFunctionData, namehash, parseAbi } from "viem";
import type { Hex } from "@countersign/wire";
import { addresses as at } from "@countersign/tools/world";
import type { Attack } from "./attacks.ts";
import { approve, ether, transfer, type Call } from "./calls.ts";
import type { Chain } from "./chain.ts";
import type { Honest } from "./honest.ts";

type Parties = { readonly me: Hex; readonly friend: Hex };

/** A request that is neither approved nor rejected, with a part of the reason. */
type Open = {
  readonly name: string;
  readonly words: string;
  readonly call: () => Call;
  readonly prepare?: (chain: Chain) => Promise<unknown>;
  readonly because: string;
};

const stranger: Hex = `0x${"5a".repeat(20)}`;
const check = "intent_alignment.ens_contact_match";
const abi = parseAbi([
  "function setAddr(bytes32 node, address to)",
  "function setResolver(bytes32 node, address resolver)",
]);
const bob = namehash("bob.eth");

const setAddress = (to: Hex): Call => ({
  to: at.ensResolver,
  data: encodeFunctionData({ abi, functionName: "setAddr", args: [bob, to] }),
});
const setResolver = (resolver: Hex): Call => ({
  to: at.ens,
  data: encodeFunctionData({ abi, functionName: "setResolver", args: [bob, resolver] }),
});

export const honestNames = ({ friend }: Parties): readonly Honest[] => [
  { words: "Send 5 USDC to bob.eth", call: () => transfer("USDC", "5", friend) },
  { words: "Send 0.5 ETH to Bob.eth", call: () => ({ to: friend, value: ether("0.5") }) },
  { words: "Approve bob.eth to spend 100 DAI", call: () => approve("DAI", "100", friend) },
];

export const attackNames = ({ friend }: Parties): readonly Attack[] => [
  {
    ...{ name: "a name that resolves to another address than is paid", because: [check] },
    ...{ words: "Send 5 USDC to bob.eth", call: () => transfer("USDC", "5", stranger) },
  },
  {
    ...{ name: "ETH for a name that resolves to another address", because: [check] },
    ...{ words: "Send 0.5 ETH to bob.eth", call: () => ({ to: stranger, value: ether("0.5") }) },
  },
  {
    ...{ name: "a name that was changed in the last block", because: [check] },
    ...{ words: "Send 5 USDC to bob.eth", call: () => transfer("USDC", "5", friend) },
    prepare: (chain) => chain.send(friend, setAddress(stranger)),
  },
  {
    ...{
      name: "a name next to an address that it does not resolve to",
      because: ["intent_alignment.recipient_match"],
    },
    words: `Send 5 USDC to bob.eth (${stranger})`,
    call: () => transfer("USDC", "5", stranger),
  },
];

/** Pays the address that each of these names appears to have. */
export const openNames = ({ friend }: Parties): readonly Open[] => {
  const paying = (name: string): Pick<Open, "words" | "call"> => ({
    words: `Send 5 USDC to ${name}`,
    call: () => transfer("USDC", "5", friend),
  });
  const withResolver = (contract: string) => async (chain: Chain) => {
    await chain.replaceToken(stranger, contract, {});
    await chain.send(friend, setResolver(stranger));
  };
  return [
    { name: "a name that has expired and kept its records", ...paying("lapsed.eth"), because: "expired" },
    { name: "a name that no one registered", ...paying("no-one.eth"), because: "not registered" },
    { name: "a name below one without records", ...paying("pay.bob.eth"), because: "has no owner" },
    {
      ...{ name: "a name without an address", ...paying("bob.eth"), because: "has no address" },
      prepare: (chain) => chain.send(friend, setAddress(`0x${"0".repeat(40)}`)),
    },
    {
      ...{ name: "a resolver that answers off the chain", ...paying("bob.eth") },
      ...{ prepare: withResolver("OffchainResolver"), because: "not a public resolver" },
    },
    {
      ...{ name: "a resolver that answers differently when it is simulated", ...paying("bob.eth") },
      ...{ prepare: withResolver("WatchedResolver"), because: "not a public resolver" },
    },
  ];
};
