import { lazy, Suspense, type JSX } from "react";
import { usePhone } from "../lib/use-phone.ts";
import { walletLinks } from "../lib/wallet-links.ts";
import { buttonClass } from "./button.tsx";
import { Notice } from "./notice.tsx";

// Only a desktop browser without a wallet needs it.
const QrCode = lazy(async () => ({ default: (await import("./qr-code.tsx")).QrCode }));

function OnPhone(): JSX.Element {
  return (
    <div className="space-y-3">
      <Notice tone="open" title="No wallet in this browser">
        Phone browsers have no wallet of their own. Open this page in your wallet app, which has a browser
        built in.
      </Notice>
      <ul className="grid gap-2">
        {walletLinks(location.href).map(({ name, href }) => (
          <li key={name}>
            <a href={href} rel="noreferrer" className={buttonClass("plain", "w-full")}>
              Open in {name}
            </a>
          </li>
        ))}
      </ul>
      <p className="text-sm text-soft">
        Another wallet: copy this page’s address into the browser of the wallet app.
      </p>
    </div>
  );
}

function OnDesktop(): JSX.Element {
  return (
    <div className="space-y-3">
      <Notice tone="open" title="No wallet in this browser">
        Install or unlock a wallet extension, then reload.
      </Notice>
      <div className="flex flex-wrap items-center gap-4">
        <Suspense fallback={<div className="size-44 rounded-xl bg-inset" />}>
          <QrCode text={location.href} label="QR code of this page’s address" />
        </Suspense>
        <p className="max-w-52 text-sm text-soft">
          Wallet on your phone? Scan this with the wallet app to open the page there.
        </p>
      </div>
    </div>
  );
}

/** Says what to do in a browser without a wallet: open the page where there is one. */
export function NoWalletHelp(): JSX.Element {
  return usePhone() ? <OnPhone /> : <OnDesktop />;
}
