import { expect, test } from "vitest";
import { walletLinks } from "./wallet-links.ts";

test("opens this page in a wallet's browser, without its fragment", () => {
  const links = walletLinks("https://app.example/transactions/0x12?do=approve#private");
  expect(links.map(({ name, href }) => [name, href])).toEqual([
    ["MetaMask", "https://metamask.app.link/dapp/app.example/transactions/0x12?do=approve"],
    [
      "Trust Wallet",
      "https://link.trustwallet.com/open_url?coin_id=60&url=https%3A%2F%2Fapp.example%2Ftransactions%2F0x12%3Fdo%3Dapprove",
    ],
    [
      "Base",
      "https://go.cb-w.com/dapp?cb_url=https%3A%2F%2Fapp.example%2Ftransactions%2F0x12%3Fdo%3Dapprove",
    ],
  ]);
});
