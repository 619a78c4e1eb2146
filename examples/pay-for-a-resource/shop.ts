// A shop that sells a weather report over HTTP for an x402 payment. It uses the resource server of `@x402/core`, and its own
// facilitator, which verifies payments and collects them on the chain.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { x402Facilitator } from "@x402/core/facilitator";
import { x402HTTPResourceServer, x402ResourceServer, type RouteConfig } from "@x402/core/server";
import { toFacilitatorEvmSigner } from "@x402/evm";
import { ExactEvmScheme as ExactFacilitator } from "@x402/evm/exact/facilitator";
import { ExactEvmScheme as ExactServer } from "@x402/evm/exact/server";
import { createWalletClient, http, publicActions } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import { sepolia } from "viem/chains";

/** USDC on Sepolia. */
export const usdc = "0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238";

/** A price, and where to pay it. */
export type Offer = Exclude<RouteConfig["accepts"], readonly unknown[]>;
export type Shop = { readonly url: string; readonly close: () => Promise<void> };

/** The price of the report: 0.01 USDC on Sepolia, to be collected within two minutes. */
export const priceTo = (payTo: string): Offer => ({
  ...{ scheme: "exact", network: "eip155:11155111", payTo, maxTimeoutSeconds: 120 },
  price: { asset: usdc, amount: "10000", extra: { name: "USDC", version: "2" } },
});

/** Opens the shop. `relayer` collects the payments and pays their gas. */
export async function openShop(
  accepts: Offer,
  { rpcUrl, relayer }: { readonly rpcUrl: string; readonly relayer: PrivateKeyAccount },
): Promise<Shop> {
  const chain = createWalletClient({ account: relayer, chain: sepolia, transport: http(rpcUrl) }).extend(
    publicActions,
  );
  const signer = toFacilitatorEvmSigner({ ...(chain as object), address: relayer.address } as never);
  const facilitator = new x402Facilitator().register(accepts.network, new ExactFacilitator(signer));
  const inProcess = {
    verify: facilitator.verify.bind(facilitator),
    settle: facilitator.settle.bind(facilitator),
    getSupported: async () => facilitator.getSupported(),
  };
  const seller = new x402ResourceServer(inProcess as never).register(accepts.network, new ExactServer());
  const shop = new x402HTTPResourceServer(seller, { "GET /weather": { accepts } });
  await shop.initialize();
  const server = createServer((request, response) => {
    sell(shop, request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => {
        resolve();
      });
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${port}`, close };
}

async function sell(
  shop: x402HTTPResourceServer,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const header = (name: string): string | undefined => request.headers[name.toLowerCase()]?.toString();
  const { method = "GET", url: path = "/" } = request;
  const adapter = {
    ...{ getHeader: header, getMethod: () => method, getPath: () => path },
    getUrl: () => `http://${header("host") ?? ""}${path}`,
    ...{ getAcceptHeader: () => header("accept") ?? "", getUserAgent: () => header("user-agent") ?? "" },
  };
  const paymentHeader = header("payment-signature");
  const context = { adapter, path, method, ...(paymentHeader === undefined ? {} : { paymentHeader }) };
  const asked = await shop.processHTTPRequest(context);
  if (asked.type === "payment-error") {
    const { status, headers, body } = asked.response;
    response.writeHead(status, headers).end(JSON.stringify(body ?? {}));
    return;
  }
  if (asked.type === "no-payment-required") {
    response.writeHead(404).end();
    return;
  }
  // The report leaves the shop only once the payment is on the chain.
  const settled = await shop.processSettlement(asked.paymentPayload, asked.paymentRequirements);
  if (settled.success)
    response.writeHead(200, settled.headers).end(JSON.stringify({ report: "sunny, 21 degrees" }));
  else response.writeHead(402, settled.headers).end(JSON.stringify({ error: settled.errorReason }));
}
