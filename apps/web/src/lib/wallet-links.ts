// Links that open a page in the browser of a phone's wallet, where that wallet can sign.

type WalletApp = { readonly name: string; readonly link: (page: URL) => string };

const apps: readonly WalletApp[] = [
  {
    name: "MetaMask",
    link: ({ host, pathname, search }) => `https://metamask.app.link/dapp/${host}${pathname}${search}`,
  },
  {
    name: "Trust Wallet",
    link: ({ href }) => `https://link.trustwallet.com/open_url?coin_id=60&url=${encodeURIComponent(href)}`,
  },
  {
    name: "Base",
    link: ({ href }) => `https://go.cb-w.com/dapp?cb_url=${encodeURIComponent(href)}`,
  },
];

/** Returns one link for each known wallet app. The fragment of the page is left out: it may hold content. */
export function walletLinks(href: string): readonly { readonly name: string; readonly href: string }[] {
  const page = new URL(href);
  page.hash = "";
  return apps.map(({ name, link }) => ({ name, href: link(page) }));
}
