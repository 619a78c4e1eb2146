// Contracts that take signatures, on the chain of the watch, and the signatures of wallets.
import { join } from "node:path";
import {
  encodeFunctionData,
  numberToHex,
  parseAbi,
  toFunctionSelector,
  type TypedDataDefinition,
} from "viem";
import {
  hashPayload,
  parseTypedData,
  typedDataDefinition,
  type Payload,
  type TypedData,
} from "@countersign/wire";
import { buildSigners } from "@countersign/tools/world";
import type { Hex, Transaction } from "../../../src/transactions/transaction.ts";
import { compileSolidity } from "../../compile-solidity.ts";
import { finalDepth, somewhere, type Harness, type Wallet } from "./harness.ts";

const contracts = compileSolidity(join(import.meta.dirname, "signing.sol"));
type Name = "SigningToken" | "Mimic" | "BatchAccount";
const contractOf = (name: Name) => {
  const found = contracts[name];
  if (found === undefined) throw new Error(`there is no ${name}`);
  return found;
};

export const encode = (name: Name, functionName: string, ...args: readonly unknown[]): Hex =>
  encodeFunctionData({ abi: contractOf(name).abi, functionName, args });

const fields = (...members: readonly string[]) =>
  members.map((member) => {
    const [type = "", name = ""] = member.split(" ");
    return { name, type };
  });

const signingTypes = {
  TransferWithAuthorization: fields(
    ...["address from", "address to", "uint256 value", "uint256 validAfter", "uint256 validBefore"],
    "bytes32 nonce",
  ),
  CancelAuthorization: fields("address authorizer", "bytes32 nonce"),
  Permit: fields("address owner", "address spender", "uint256 value", "uint256 nonce", "uint256 deadline"),
};
const daiTypes = {
  Permit: fields(...["address holder", "address spender", "uint256 nonce", "uint256 expiry"], "bool allowed"),
};
/** By its selector, because both have the same name. */
const permitFunction = toFunctionSelector("permit(address,address,uint256,uint256,uint8,bytes32,bytes32)");
const daiFunction = toFunctionSelector("permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)");
const permit2Types = {
  PermitSingle: fields("PermitDetails details", "address spender", "uint256 sigDeadline"),
  PermitDetails: fields("address token", "uint160 amount", "uint48 expiration", "uint48 nonce"),
  PermitTransferFrom: fields(
    ...["TokenPermissions permitted", "address spender", "uint256 nonce", "uint256 deadline"],
  ),
  TokenPermissions: fields("address token", "uint256 amount"),
};

export const permit2: Hex = "0x000000000022d473030f116ddee9f6b43ac78ba3";
export const permit2Abi = parseAbi([
  "function permit(address owner, ((address token, uint160 amount, uint48 expiration, uint48 nonce) details, address spender, uint256 sigDeadline) permitSingle, bytes signature)",
  "function invalidateNonces(address token, address spender, uint48 newNonce)",
  "function permitTransferFrom(((address token, uint256 amount) permitted, uint256 nonce, uint256 deadline) permit, (address to, uint256 requestedAmount) transferDetails, address owner, bytes signature)",
]);

type Signed = { readonly data: TypedData; readonly signature: Hex };

/** The parts of a signature, as older functions take them. */
const partsOf = (signature: Hex): readonly [number, Hex, Hex] => [
  Number(`0x${signature.slice(130)}`),
  `0x${signature.slice(2, 66)}`,
  `0x${signature.slice(66, 130)}`,
];

const asPayload = (typedData: TypedData): Payload => ({ shape: "typedData", typedData });

export type Stage = Awaited<ReturnType<typeof setStage>>;

export async function setStage(harness: Harness) {
  const { chain, chainId } = harness;
  const owner = await harness.aWallet();
  const { safe } = await buildSigners(harness.anvilUrl, [owner.address]);
  const place = async (name: Name): Promise<Hex> => {
    const address = somewhere();
    const bytecode: Hex = `0x${contractOf(name).evm.deployedBytecode.object}`;
    await chain.setCode({ address, bytecode });
    return address;
  };
  const token = await place("SigningToken");
  const relayer = await harness.aWallet();
  const sign = async ({ account }: Wallet, definition: object): Promise<Signed> => {
    const data = parseTypedData(definition);
    const signature = await account.signTypedData(
      typedDataDefinition(data) as unknown as TypedDataDefinition,
    );
    return { data, signature };
  };
  const ofToken = (types: object, primaryType: string, message: object, contract = token) => ({
    domain: { name: "Signing", version: "1", chainId, verifyingContract: contract },
    ...{ types, primaryType, message },
  });
  const pick = <K extends string>(types: Readonly<Record<K, unknown>>, ...names: readonly K[]) =>
    Object.fromEntries(names.map((name) => [name, types[name]]));
  const nowOnChain = async (): Promise<number> => Number((await chain.getBlock()).timestamp);

  return {
    ...{ token, safe, owner, relayer, place, nowOnChain },
    /** Sends a call from an account that signed nothing. */
    relay: (to: Hex, data: Hex) => relayer.send({ to, value: 0n, data }),
    /** EIP-3009. */
    aPayment: async (wallet: Wallet, over: object = {}, contract = token) => {
      const message = {
        ...{ from: wallet.address, to: somewhere(), value: "1000", validAfter: "0" },
        ...{
          validBefore: String((await nowOnChain()) + 3_600),
          nonce: numberToHex(BigInt(somewhere()), { size: 32 }),
        },
        ...over,
      };
      await harness.include(
        await relayer.signNext({
          to: token,
          value: 0n,
          data: encode("SigningToken", "mint", wallet.address, 10n ** 9n),
        }),
      );
      const kinds = pick(signingTypes, "TransferWithAuthorization");
      const signed = await sign(wallet, ofToken(kinds, "TransferWithAuthorization", message, contract));
      const args = [
        message.from,
        message.to,
        message.value,
        message.validAfter,
        message.validBefore,
        message.nonce,
      ];
      const call = encode("SigningToken", "transferWithAuthorization", ...args, ...partsOf(signed.signature));
      return { ...signed, message, call };
    },
    aCancellation: async (wallet: Wallet, nonce: Hex) => {
      const message = { authorizer: wallet.address, nonce };
      const kinds = pick(signingTypes, "CancelAuthorization");
      const signed = await sign(wallet, ofToken(kinds, "CancelAuthorization", message));
      const parts = partsOf(signed.signature);
      return {
        ...signed,
        call: encode("SigningToken", "cancelAuthorization", wallet.address, nonce, ...parts),
      };
    },
    /** EIP-2612. */
    aPermit: async (wallet: Wallet, over: object = {}) => {
      const message = {
        ...{ owner: wallet.address, spender: somewhere(), value: "1000", nonce: "0" },
        ...{ deadline: String((await nowOnChain()) + 3_600), ...over },
      };
      const signed = await sign(wallet, ofToken(pick(signingTypes, "Permit"), "Permit", message));
      const args = [message.owner, message.spender, message.value, message.deadline];
      const call = encode("SigningToken", permitFunction, ...args, ...partsOf(signed.signature));
      return { ...signed, message, call };
    },
    aDaiPermit: async (wallet: Wallet) => {
      const message = {
        holder: wallet.address,
        spender: somewhere(),
        nonce: "0",
        expiry: "0",
        allowed: true,
      };
      const signed = await sign(wallet, ofToken(daiTypes, "Permit", message));
      const args = [message.holder, message.spender, message.nonce, message.expiry, message.allowed];
      return { ...signed, call: encode("SigningToken", daiFunction, ...args, ...partsOf(signed.signature)) };
    },
    anAllowance: async (wallet: Wallet, over: object = {}) => {
      const deadline = (await nowOnChain()) + 3_600;
      const details = { token, amount: "1000", expiration: String(deadline), nonce: "0", ...over };
      const message = { details, spender: somewhere(), sigDeadline: String(deadline) };
      const definition = {
        domain: { name: "Permit2", chainId, verifyingContract: permit2 },
        types: pick(permit2Types, "PermitSingle", "PermitDetails"),
        ...{ primaryType: "PermitSingle", message },
      };
      const signed = await sign(wallet, definition);
      const call = encodeFunctionData({
        ...{ abi: permit2Abi, functionName: "permit" },
        args: [wallet.address, message as never, signed.signature],
      });
      return { ...signed, message, call };
    },
    aTransfer: async (wallet: Wallet) => {
      const message = {
        ...{ permitted: { token, amount: "1000" }, spender: relayer.address, nonce: "7" },
        deadline: String((await nowOnChain()) + 3_600),
      };
      const definition = {
        domain: { name: "Permit2", chainId, verifyingContract: permit2 },
        types: pick(permit2Types, "PermitTransferFrom", "TokenPermissions"),
        ...{ primaryType: "PermitTransferFrom", message },
      };
      const signed = await sign(wallet, definition);
      const call = encodeFunctionData({
        ...{ abi: permit2Abi, functionName: "permitTransferFrom" },
        args: [
          message as never,
          { to: relayer.address, requestedAmount: 1_000n },
          wallet.address,
          signed.signature,
        ],
      });
      return { ...signed, call };
    },
    /** Any event, of a contract that only pretends. */
    mimic: async (topics: readonly [Hex, Hex, Hex], data: Hex = "0x") => {
      const to = await place("Mimic");
      return relayer.send({ to, value: 0n, data: encode("Mimic", "emitEvent", ...topics, data) });
    },
    release: (wallet: Wallet, data: TypedData): Promise<Transaction> =>
      harness.aRelease(wallet, asPayload(data)),
    hashOf: (payload: Payload): Hex => hashPayload(payload),
    /** Moves the chain's clock, and mines a block with the new time. */
    wait: async (seconds: number) => {
      await harness.rpc("evm_increaseTime", seconds);
      await harness.mine(1);
    },
    /** Reads on, and the state of all that is watched. */
    look: async () => {
      await harness.watch();
      await harness.checkUsesNow();
      await harness.watch();
    },
    finalise: async () => {
      await harness.mine(finalDepth);
      await harness.watch();
    },
  };
}
