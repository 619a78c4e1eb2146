import { Problem } from "@countersign/platform/errors";
import type { Hex } from "@countersign/wire";
import { transactionErrors, type ApprovalStatusReader } from "../transactions/index.ts";
import type { Principal } from "./principal.ts";

type Parts = { readonly status: Pick<ApprovalStatusReader, "read"> };

export type MayRead = (principal: Principal, requestHash: Hex) => Promise<boolean>;

/** The same check as for a status request, so that a client is notified only of what it could read. */
export const makeMayRead =
  ({ status }: Parts): MayRead =>
  async ({ caller }, requestHash) => {
    try {
      await status.read({ requestHash, view: "records", caller, knows: undefined, waitSeconds: 0 });
      return true;
    } catch (error) {
      if (error instanceof Problem && error.code === transactionErrors.notFound.code) return false;
      throw error;
    }
  };

/** Whether the owner allowed this program to read. */
export const readsOwn = ({ caller }: Pick<Principal, "caller">): boolean =>
  caller.scopes.includes("transactions:read:own");
