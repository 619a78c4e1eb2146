// Uniswap's Universal Router on the pools of V2 and V3. Uniswap V4 and Across are not in the world, so their commands fail.
import { keccak256, zeroAddress } from "viem";
import { addresses as at } from "./addresses.ts";
import { readArtifact } from "./artifacts.ts";
import type { Stage } from "./place.ts";

/** Of the creation code, from which the router computes the addresses of pools. */
const pairCode = () => readArtifact("@uniswap/v2-core", "build/UniswapV2Pair.json").bytecode;
const poolCode = () =>
  readArtifact("@uniswap/v3-core", "artifacts/contracts/UniswapV3Pool.sol/UniswapV3Pool.json").bytecode;

export async function placeUniversalRouter({ place }: Stage): Promise<void> {
  const file = "artifacts/contracts/UniversalRouter.sol/UniversalRouter.json";
  await place(at.universalRouter, readArtifact("@uniswap/universal-router", file), [
    {
      ...{ permit2: at.permit2, weth9: at.weth, v2Factory: at.v2Factory, v3Factory: at.v3Factory },
      ...{ pairInitCodeHash: keccak256(pairCode()), poolInitCodeHash: keccak256(poolCode()) },
      ...{ v3NFTPositionManager: at.v3Positions, v4PositionManager: zeroAddress },
      ...{ v4PoolManager: zeroAddress, spokePool: zeroAddress },
    },
  ]);
}
