// The simulator and the validator as processes, for measurements on a chain with the world's contracts.
import { fileURLToPath } from "node:url";
import { fetchOk, freePorts, waitUntil, type Supervisor } from "../engines/index.ts";

export type Place = { readonly supervisor: Supervisor; readonly dir: string };
export type Service = { readonly url: string; readonly pid: number };
export type Captured = { readonly state: object; readonly second_engine: { readonly result: string } };

export async function startApp(
  { supervisor, dir }: Place,
  app: "simulator" | "validator",
  env: Record<string, string>,
): Promise<Service> {
  const [port = 0] = await freePorts(1);
  const url = `http://127.0.0.1:${port}`;
  const file = fileURLToPath(new URL(`../../apps/${app}/src/main.ts`, import.meta.url));
  const child = supervisor.start({
    ...{ name: `${app}-${port}`, command: process.execPath, args: [file], cwd: dir },
    env: { PORT: String(port), LOG_LEVEL: "warn", ...env },
  });
  await waitUntil(`the ${app} is ready`, () => fetchOk(`${url}/ready`), { seconds: 180, child });
  return { url, pid: child.pid };
}

export async function post<T>(url: string, body: object): Promise<T> {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${url} answered with status ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as T;
}
