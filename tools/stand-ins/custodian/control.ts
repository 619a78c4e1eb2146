// How processes and people get a hold of the stand-in. The real custodian has nothing of the kind.
import { z } from "zod";
import { behaviours, type Faults } from "./behaviours.ts";
import type { Call, Outcome } from "./call.ts";
import type { Transactions } from "./transactions.ts";
import type { Users } from "./users.ts";

type Options = {
  readonly makeVault: () => Promise<unknown>;
  readonly users: Users;
  readonly faults: Faults;
  readonly transactions: Transactions;
};

const userShape = z.object({
  csr: z.string(),
  vaultAccountId: z.string(),
  apiKey: z.string().min(1).optional(),
});
const behaviourShape = z.object({
  how: z.literal([...behaviours]),
  times: z.number().int().positive().optional(),
});

const withTextForAmount = (_key: string, value: unknown): unknown =>
  typeof value === "bigint" ? value.toString() : value;

export function makeControl({ makeVault, users, faults, transactions }: Options) {
  const actions: Readonly<Record<string, (body: string) => unknown>> = {
    "POST /stand-in/vaults": () => makeVault(),
    "POST /stand-in/users": (body) => {
      const { csr, vaultAccountId, apiKey } = userShape.parse(JSON.parse(body));
      return { apiKey: users.admit({ csr, apiKey, vaults: [vaultAccountId] }) };
    },
    "POST /stand-in/behave": (body) => {
      const { how, times } = behaviourShape.parse(JSON.parse(body));
      faults.behave(how, times);
      return { how };
    },
    "GET /stand-in/transactions": () =>
      JSON.parse(JSON.stringify(transactions.all, withTextForAmount)) as unknown,
  };
  return async ({ method, path, body }: Call): Promise<Outcome> => {
    const action = actions[`${method} ${path}`];
    if (action === undefined) return { reply: { status: 404, body: { message: "no such resource" } } };
    try {
      return { reply: { status: 200, body: await action(body) } };
    } catch (error) {
      return { reply: { status: 400, body: { message: String(error) } } };
    }
  };
}
