// One proposal of every shape that is not a transaction, for a wallet on Sepolia.
import { Interface } from "ethers";

const alice = "0x742d35Cc6634C0532925a3b844Bc454e4438f44e";
const usdc = "0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238";
const safe = "0x5aFE3855358E112B5647B952709E6165e1c1eEEe";
const chainId = 11_155_111;

type Subject = { readonly userPrompt: string } & Readonly<Record<string, unknown>>;

const field = (name: string, type: string) => ({ name, type });

const permit = (owner: string): Subject => ({
  userPrompt: `Approve ${alice} to spend 5 USDC`,
  typedData: {
    domain: { name: "USDC", version: "2", chainId, verifyingContract: usdc },
    types: {
      Permit: [
        ...[field("owner", "address"), field("spender", "address"), field("value", "uint256")],
        ...[field("nonce", "uint256"), field("deadline", "uint256")],
      ],
    },
    primaryType: "Permit",
    message: {
      ...{ owner, spender: alice, value: "5000000", nonce: "0" },
      deadline: String(Math.floor(Date.now() / 1000) + 3600),
    },
  },
});

const batch = (from: string): Subject => ({
  userPrompt: `Send 0.01 ETH to ${alice} and 0.02 ETH to ${safe}`,
  calls: {
    ...{ chainId, from, atomicRequired: true },
    calls: [
      { to: alice, value: "10000000000000000" },
      { to: safe, value: "20000000000000000" },
    ],
  },
});

const safePayment = (): Subject => ({
  userPrompt: `Send 0.01 ETH from Safe ${safe} to ${alice}`,
  safeTransaction: { chainId, safe, to: alice, value: "10000000000000000", nonce: 3 },
});

const message: Subject = {
  userPrompt: "Sign the message “I agree to the terms of example.com”",
  message: "I agree to the terms of example.com",
};

const delegate = "0x63c0c19a282a1B52b07dD5a65b58948A07DAE32B";

const delegation: Subject = {
  userPrompt: `Delegate my account code to ${delegate}`,
  authorizationList: [{ chainId, address: delegate, nonce: 3 }],
};

const execute = new Interface(["function execute(address target, uint256 value, bytes data)"]);

const operation = (sender: string, entryPoint: string): Subject => ({
  userPrompt: `Send 0.01 ETH to ${alice}`,
  userOperation: {
    ...{ chainId, entryPoint, sender, nonce: 3 },
    callData: execute.encodeFunctionData("execute", [alice, "10000000000000000", "0x"]),
    ...{ callGasLimit: 90_000, verificationGasLimit: 120_000, preVerificationGas: 50_000 },
    ...{ maxFeePerGas: "2000000000", maxPriorityFeePerGas: "1000000000" },
  },
});

export const subjectsOf = (wallet: string): readonly Subject[] => [
  permit(wallet),
  batch(wallet),
  safePayment(),
  message,
  delegation,
  operation(wallet, "0x0000000071727De22E5E9d8BAf0edAc6f37da032"),
  operation(wallet, "0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108"),
];
