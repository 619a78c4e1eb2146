/** The markets of Compound III, each with the asset it lends, from the protocol's own deployment files. */
import type { Address } from "../../proposal.ts";

type Deployed = Readonly<Record<number, Address | readonly Address[]>>;

/** chain → market → its base asset. */
const bases: Readonly<Record<number, Readonly<Record<Address, Address>>>> = {
  1: {
    "0xc3d688b66703497daa19211eedff47f25384cdc3": "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48", // usdc
    "0x5d409e56d886231adaf00c8775665ad0f9897b56": "0xdc035d45d973e3ec169d2276ddab16f1e407384f", // usds
    "0x3afdc9bca9213a35503b077a6072f3d0d5ab0840": "0xdac17f958d2ee523a2206206994597c13d831ec7", // usdt
    "0xe85dc543813b8c2cfeaac371517b925a166a9293": "0x2260fac5e5542a773aa44fbcfedf7c193bc2c599", // wbtc
    "0xa17581a9e3356d9a858b789d68b4d866e593ae94": "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2", // weth
    "0x3d0bb1ccab520a66e607822fc55bc921738fafe3": "0x7f39c581f595b53c5cb19bd0b3f8da6c935e2ca0", // wsteth
  },
  10: {
    "0x2e44e174f7d53f0212823acc11c01a11d58c5bcb": "0x0b2c639c533813f4aa9d7837caf62653d097ff85", // usdc
    "0x995e394b8b2437ac8ce61ee0bc610d617962b214": "0x94b008aa00579c1307b0ef2c499ad98a8ce58e58", // usdt
    "0xe36a30d249f7761327fd973001a32010b521b6fd": "0x4200000000000000000000000000000000000006", // weth
  },
  130: {
    "0x2c7118c4c88b9841fcf839074c26ae8f035f2921": "0x078d782b760474a361dda0af3839290b0ef57ad6", // usdc
    "0x6c987dde50db1dcdd32cd4175778c2a291978e2a": "0x4200000000000000000000000000000000000006", // weth
  },
  137: {
    "0xf25212e676d1f7f89cd72ffee66158f541246445": "0x2791bca1f2de4661ed88a30c99a7a9449aa84174", // usdc
    "0xaeb318360f27748acb200ce616e389a6c9409a07": "0xc2132d05d31c914a87c6611c10748aeb04b58e8f", // usdt
  },
  2020: {
    "0x4006ed4097ee51c09a04c3b0951d28ccf19e6dfe": "0xc99a6a985ed2cac1ef41640596c5a5f9f4e19ef5", // weth
    "0xc0afdbd1ceb621ef576ba969ce9d4cef78dbc0c0": "0xe514d9deb7966c8be0ca922de8a064264ea6bcd4", // wron
  },
  5000: {
    "0x606174f62cd968d8e684c645080fa694c1d7786e": "0x5d3a1ff2b6bab83b63cd9ad0787074081a52ef34", // usde
  },
  8453: {
    "0x784efeb622244d2348d4f2522f8860b96fbece89": "0x940181a94a35a4569e4529a3cdfb74e38fd98631", // aero
    "0x9c4ec768c28520b50860ea7a15bd7213a9ff58bf": "0xd9aaec86b65d86f6a7b5b1b0c42ffa531710b6ca", // usdbc
    "0xb125e6687d4313864e53df431d5425969c15eb2f": "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913", // usdc
    "0x2c776041ccfe903071af44aa147368a9c8eea518": "0x820c137fa70c8691f0e44dc420a5e53c168921dc", // usds
    "0x46e6b214b524310239732d51387075e0e70970bf": "0x4200000000000000000000000000000000000006", // weth
  },
  42161: {
    "0xa5edbdd9646f8dff606d7448e414884c7d905dca": "0xff970a61a04b1ca14834a43f5de4533ebddb5cc8", // usdc.e
    "0x9c4ec768c28520b50860ea7a15bd7213a9ff58bf": "0xaf88d065e77c8cc2239327c5edb3a432268e5831", // usdc
    "0xd98be00b5d27fc98112bde293e487f8d4ca57d07": "0xfd086bc7cd5c481dcc9c85ebe478a1c0b69fcbb9", // usdt
    "0x6f7d514bbd4aff3bcd1140b7344b32f063dee486": "0x82af49447d8a07e3bd95bd0d56f35241523fbab1", // weth
  },
  59144: {
    "0x8d38a3d6b3c3b7d96d6536da7eef94a9d7dbc991": "0x176211869ca2b568f2a7d4ee941e073a821ee1ff", // usdc
    "0x60f2058379716a64a7a5d29219397e79bc552194": "0xe5d7c2a44ffddf6b295a15c148167daaaf5cf34f", // weth
  },
  534352: {
    "0xb2f97c1bd3bf02f5e74d13f02e3e26f93d77ce44": "0x06efdbff2a14a7c8e15944d1f4a48f9f95f663a4", // usdc
  },
  11155111: {
    "0xaec1f48e02cfb822be958b68c7957156eb3f0b6e": "0x1c7d4b196cb0c7b01d743fbc6116a902379c7238", // usdc
    "0x2943ac1216979ad8db76d9147f64e61adc126e96": "0x2d5ee574e710219a521449679a4a7f2b43f046ad", // weth
  },
};

export const comets: Deployed = Object.fromEntries(
  Object.entries(bases).map(([chain, markets]) => [chain, Object.keys(markets) as Address[]]),
);

/** Returns the asset that a market lends, or null if the contract is not a market. */
export const baseOf = (chain: number, comet: Address): Address | null => bases[chain]?.[comet] ?? null;

export const cometRewards: Deployed = {
  1: "0x1b0e765f6224c21223aea2af16c1c46e38885a40",
  10: "0x443ea0340cb75a160f31a440722dec7b5bc3c2e9",
  130: "0x6f7d514bbd4aff3bcd1140b7344b32f063dee486",
  137: "0x45939657d1ca34a8fa39a924b71d28fe8431e581",
  2020: "0x31cdee8609bc15fd33cc525f101b70a81b2b1e59",
  5000: "0xcd83cbbfce149d141a5171c3d6a0f0fccee225ab",
  8453: "0x123964802e6ababbe1bc9547d72ef1b69b00a6b1",
  42161: "0x88730d254a2f7e6ac8388c3198afd694ba9f7fae",
  59144: "0x2c7118c4c88b9841fcf839074c26ae8f035f2921",
  534352: "0x70167d30964cbfdc315ecae02441af747be0c5ee",
  11155111: "0x8bf5b658bdf0388e8b482ed51b14aef58f90abfd",
};

export const cometBulkers: Deployed = {
  1: ["0x2c776041ccfe903071af44aa147368a9c8eea518", "0xa397a8c2086c554b531c02e29f3291c9704b00c7"],
  10: "0xcb3643cc8294b23171272845473dec49739d4ba3",
  130: "0x58ebb8db8b4fdf2dcbbb16e04c2f5b952963b514",
  137: "0x59e242d352ae13166b4987ae5c990c232f7f7cd6",
  2020: "0x840281fad56dd88afba052b7f18be2a65796ecc6",
  5000: "0x67dfca85cceefa2c5b1db4dee3bea716a28b9baa",
  8453: "0x78d0677032a35c63d142a48a2037048871212a8c",
  42161: "0xbde8f31d2ddda895264e27dd990fab3dc87b372d",
  59144: "0x023ee795361b28cdbb94e302983578486a0a5f1b",
  534352: "0x53c6d04e3ec7031105baea05b36cbc3c987c56fa",
  11155111: ["0x157c001bb1f8b33743b14483be111c961d8e11de", "0xad0c044425d81a2e223f4ce699156900fead2aaa"],
};
