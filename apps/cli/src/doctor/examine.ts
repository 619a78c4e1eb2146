// One look at everything that has to be right before a command can work, from the nearest to the farthest.
import type { Context } from "../context.ts";
import { examineCredentials } from "./examine-credentials.ts";
import { examineMachine } from "./examine-machine.ts";
import { examineService, examineValidator } from "./examine-services.ts";
import type { Finding } from "./finding.ts";

export type { Finding } from "./finding.ts";

export async function examine(context: Context): Promise<readonly Finding[]> {
  const machine = await examineMachine(context);
  // Without a profile file that can be read nobody knows what to look at next.
  if (machine.some(({ name, status }) => name === "profiles" && status === "fail")) return machine;
  const service = await examineService(context);
  const isThere = service.every(({ name, status }) => name !== "service" || status !== "fail");
  return [
    ...machine,
    ...service,
    ...(isThere ? await examineCredentials(context) : []),
    ...(await examineValidator(context)),
  ];
}
