import { decodeFunctionData, encodeFunctionResult, parseAbi } from "viem";
import { expect, test } from "vitest";
import { CountersignError } from "../errors.ts";
import { aServer, says, type Handler } from "../../test/server.ts";
import { fetchTrust } from "./index.ts";
import { arbiter, trust } from "../../test/receipt.ts";

const abi = parseAbi([
  "struct Service { address inbox; bool active; bytes fingerprint; string keyUri; }",
  "function serviceOf(uint256 id) view returns (Service)",
]);
const serviceRegistry = `0x${"5e".repeat(20)}` as const;
const { inbox, chainId } = trust;

type Asked = { id: number; method: string; params: [{ to: string; data: `0x${string}` }] };

/** A node whose registry has the verification service as service 7, and no other service. */
const node: Handler = (received, response) => {
  const { id, method, params } = JSON.parse(received.body) as Asked;
  const answer = (): string => {
    if (method === "eth_chainId") return `0x${chainId.toString(16)}`;
    const [{ to, data }] = params;
    const isArbiter = to === serviceRegistry && decodeFunctionData({ abi, data }).args[0] === 7n;
    const result = { active: true, fingerprint: "0x00", keyUri: "" } as const;
    return encodeFunctionResult({ abi, result: { ...result, inbox: isArbiter ? arbiter.address : inbox } });
  };
  return says(200, { jsonrpc: "2.0", id, result: answer() })(received, response);
};

test("the signer of a service is read from its registry on the home chain", async () => {
  await using server = await aServer(node);
  const options = { rpcUrl: server.url, serviceRegistry, inbox };
  expect(await fetchTrust({ ...options, serviceId: 7 })).toEqual({ chainId, inbox, signer: arbiter.address });
  const { signer } = await fetchTrust(options);
  expect(signer.toLowerCase()).toBe(inbox);
  const calls = server.received.map(({ body }) => JSON.parse(body) as Asked);
  const ids = calls
    .filter(({ method }) => method === "eth_call")
    .map(({ params }) => decodeFunctionData({ abi, data: params[0].data }).args[0]);
  expect(ids).toEqual([7n, 1n]);
});

test("a registry that does not answer is named, with the cause", async () => {
  await using server = await aServer(
    says(200, { jsonrpc: "2.0", id: 1, error: { code: 3, message: "reverted" } }),
  );
  const error: unknown = await fetchTrust({ rpcUrl: server.url, serviceRegistry, inbox }).catch(
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(CountersignError);
  expect((error as Error).message).toContain(serviceRegistry);
  expect((error as Error).cause).toBeInstanceOf(Error);
});
