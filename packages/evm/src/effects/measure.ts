// Asks contracts about balances and allowances, in the engine, on the same state. Undefined: the contract did not answer
// with a word.
import { encodeFunctionData, parseAbi } from "viem/utils";
import type { Hex } from "@countersign/wire";
import { addressIn } from "../hex.ts";
import type { Machine } from "../engine/machine.ts";
import type { ApprovalClaim, Asset } from "./events.ts";

const abi = parseAbi([
  "function balanceOf(address holder) view returns (uint256)",
  "function ownerOf(uint256 id) view returns (address)",
  "function allowance(address owner, address spender) view returns (uint256)",
  "function getApproved(uint256 id) view returns (address)",
  "function isApprovedForAll(address owner, address spender) view returns (bool)",
  "function decimals() view returns (uint8)",
]);
const erc1155 = parseAbi(["function balanceOf(address holder, uint256 id) view returns (uint256)"]);
const permit2 = parseAbi([
  "function allowance(address owner, address token, address spender) view returns (uint160, uint48, uint48)",
]);

type Views = Pick<Machine, "view">;

async function readWord({ view }: Views, to: Hex, data: Hex): Promise<Hex | undefined> {
  const answer = await view(to, data);
  return answer === undefined || answer.length < 66 ? undefined : (answer.slice(0, 66) as Hex);
}

const toNumber = (word: Hex | undefined): bigint | undefined =>
  word === undefined ? undefined : BigInt(word);

/** Returns how much of the asset the holder has; of an ERC-721 item 1 or 0. */
export async function readBalance(
  views: Views,
  asset: Exclude<Asset, { readonly kind: "native" }>,
  holder: Hex,
): Promise<bigint | undefined> {
  const { token } = asset;
  switch (asset.kind) {
    case "erc20":
      return toNumber(
        await readWord(views, token, encodeFunctionData({ abi, functionName: "balanceOf", args: [holder] })),
      );
    case "erc721": {
      const data = encodeFunctionData({ abi, functionName: "ownerOf", args: [asset.id] });
      const owner = await readWord(views, token, data);
      return owner === undefined ? undefined : BigInt(addressIn(owner) === holder);
    }
    case "erc1155":
      return toNumber(
        await readWord(views, token, encodeFunctionData({ abi: erc1155, args: [holder, asset.id] })),
      );
  }
}

/** No token has more. */
const mostDecimals = 36n;

/** Returns how many decimals the token claims to have. */
export async function readDecimals(views: Views, token: Hex): Promise<number | undefined> {
  const answer = toNumber(
    await readWord(views, token, encodeFunctionData({ abi, functionName: "decimals" })),
  );
  return answer === undefined || answer > mostDecimals ? undefined : Number(answer);
}

/** Returns how much the spender may take; of one item or a whole collection 1 or 0. */
export async function readAllowance(views: Views, approval: ApprovalClaim): Promise<bigint | undefined> {
  const { kind, keeper, token, id, owner, spender } = approval;
  const ask = (data: Hex) => readWord(views, keeper, data);
  switch (kind) {
    case "amount":
      return toNumber(
        await ask(encodeFunctionData({ abi, functionName: "allowance", args: [owner, spender] })),
      );
    case "item": {
      const approved = await ask(encodeFunctionData({ abi, functionName: "getApproved", args: [id ?? 0n] }));
      return approved === undefined ? undefined : BigInt(addressIn(approved) === spender);
    }
    case "all":
      return toNumber(
        await ask(encodeFunctionData({ abi, functionName: "isApprovedForAll", args: [owner, spender] })),
      );
    case "permit2":
      return toNumber(await ask(encodeFunctionData({ abi: permit2, args: [owner, token, spender] })));
  }
}
