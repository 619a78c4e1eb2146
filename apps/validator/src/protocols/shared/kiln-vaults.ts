/** Vaults of Kiln and the asset that each takes, from the descriptors that Kiln publishes. */
import type { Vaults } from "./vault.ts";

export const kilnVaults: Vaults = {
  1: {
    "0x00f05efa6d73335225f23b5adb1fc873795aaccf": "0xdac17f958d2ee523a2206206994597c13d831ec7", // lmMsthUSDT
    "0x057e9b54c04b467ccd9dfb56a84bdd99c17a2a50": "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2", // kmmWETH
    "0x067d3d0e11efd564fed27b48da1198ab0f492ed1": "0xdac17f958d2ee523a2206206994597c13d831ec7", // kmgpUSDT
    "0x11aee91ed1e5a40443dd0ed21f7cf4d3fd4e0826": "0x8292bb45bf1ee4d140127049757c2e0ff06317ed", // kEulerRLUSD
    "0x11dbf3cd45d339ed8971623be739883debdf239a": "0xdac17f958d2ee523a2206206994597c13d831ec7", // lmMgUSDT
    "0x1fce9396c3add4c3a2ed6b4461425b36ebc4bf87": "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48", // kEulerUSDC
    "0x2a4e2dacc45186bed96d9f766cb6be6b0f8a26f1": "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48", // kmmUSDC
    "0x370522edff79fca69e38f42c378531ba71d09678": "0x4c9edd5852cd905f086c759e8383e09bff1e68b3", // kEulerUSDe
    "0x3dc3b74698cd3e5e8c3a952342f6dd5696ad633d": "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48", // lmMsthUSDC
    "0x5e720481e8de9c59547ad5a65742adddb53dd765": "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48", // kmgpUSDC
    "0x640522135e5e4598cae85b170d5a675a53770fa0": "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48", // kAaveUSDC
    "0x7150864349af6fa5745178c84c6354de6d803e5b": "0xdac17f958d2ee523a2206206994597c13d831ec7", // lmMsmhUSDT
    "0x79091f30b3ba1102734b2484f209986250b2630b": "0xcbb7c0000ab88b473b1f5afd9ef808440eed33bf", // kmgccbBTC
    "0x80c179cb86c567a0047f53a290ec4c246151b0e7": "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48", // kmgcUSDC
    "0x9d4c18c1c15cfdbf260f2910031bbd68f4aa889d": "0x2260fac5e5542a773aa44fbcfedf7c193bc2c599", // kmgcWBTC
    "0xaeea95ad6dce50943a43ffb277e089a7c02b74d9": "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48", // lmMsmhUSDC
    "0xb64bfc4e7de3638425dc36ed77da4d79bb4c59f6": "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2", // kAaveWETH
    "0xc8beaf503ff0f2f36115ef662881f9d1dd98fe7b": "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48", // lmMgUSDC
    "0xc90cb928711d7dff6564ede7d7ce3fb6e3e654f2": "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2", // kmgcWETH
    "0xcf34b24f5b1d7a4718f40d757a9a0dc0d7936f3e": "0xdac17f958d2ee523a2206206994597c13d831ec7", // kCompoundUSDT
    "0xdb768e9658a544c547eb26af3b4e190845817f0e": "0xdac17f958d2ee523a2206206994597c13d831ec7", // kEulerUSDT
    "0xdd7927c757c1659b56c81c65af848ae400eb879d": "0xdac17f958d2ee523a2206206994597c13d831ec7", // kAaveUSDT
    "0xe69884a372571af24fcb94fb3f6948d1b0146533": "0x1abaea1f7c830bd89acc67ec4af516284b1bc33c", // kmgcEURC
    "0xfb477d921b18c0fe6a4bd031f6f40006831e4c2b": "0xdac17f958d2ee523a2206206994597c13d831ec7", // kmgpUSDT
  },
  8453: {
    "0x2cebf7663a7593ada5ec71dd8e41aca7cf77a2f5": "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913", // kmgcUSDC
    "0xa174b27a1e6a8194c854ffff0ffb74a4dda0ce3f": "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913", // kmrUSDC
    "0xb3e9c49d7e18bda41b5806b66f79a09afd7ad369": "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913", // lmMgUSDC
  },
  42161: {
    "0xff131917e1d6751e4d1b17612751db521b1403c5": "0xaf88d065e77c8cc2239327c5edb3a432268e5831", // skUSDC
  },
};
