// Mandates from and to the formats of wallets and other protocols.
import { readFile } from "node:fs/promises";
import type { Hex } from "@countersign/sdk";
import type * as Interop from "@countersign/sdk/interop";
import { Option, type Command } from "commander";
import type { Context } from "../context.ts";
import { usageError } from "../errors.ts";
import { exitCodes } from "../exit-codes.ts";
import { plainLine } from "../terminal/plain-text.ts";

const formats = ["erc7715", "erc7710", "ap2"] as const;
type Format = (typeof formats)[number];
type Enforcers = Interop.Enforcers;

type Exporting = { readonly as: Format; readonly delegate?: string; readonly enforcers?: string };
type Importing = {
  readonly agent: string;
  readonly enforcers?: string;
  readonly decimals: Readonly<Record<string, number>>;
  readonly with?: string;
};

const exampleExport = "countersign mandates export mandate.json --as erc7715 --delegate 0x…";
const exampleImport = "countersign mandates import permissions.json --agent key:…";

/** Reads `asset=decimals`. */
function addDecimals(
  text: string,
  before: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> {
  const [, asset = "", decimals = ""] = /^(.+)=(\d{1,2})$/.exec(text) ?? [];
  if (asset === "")
    throw usageError("--decimals must be an asset and a number: eip155:1/erc20:0x…=6", exampleImport);
  return { ...before, [asset.toLowerCase()]: Number(decimals) };
}

export function addInterop(group: Command, context: Context): void {
  const enforcers = [
    "--enforcers <file>",
    "addresses of the delegation framework's enforcers, as JSON",
  ] as const;
  group
    .command("export")
    .argument("<id|file>", "a mandate, or a file with one")
    .description("write a mandate as permissions, delegations or an intent mandate")
    .addOption(new Option("--as <format>", "the format").choices(formats).makeOptionMandatory())
    .option("--delegate <address>", "the agent's address on the chain")
    .option(...enforcers)
    .action((source: string, options: Exporting) => exportMandate(context, source, options));
  group
    .command("import")
    .argument("<file>")
    .description("write permissions, delegations or an intent mandate as drafts of mandates")
    .requiredOption("--agent <id>", "the agent that the mandate is for: key:<id> or oauth:<id>")
    .option("--decimals <asset=number>", "decimals of a token; repeatable", addDecimals, {})
    .option("--with <file>", "assets and limits for an intent mandate, as JSON")
    .option(...enforcers)
    .action((file: string, options: Importing) => importMandates(context, file, options));
}

async function readJson(file: string, example: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    const why = error instanceof SyntaxError ? "is not JSON" : "cannot be read";
    throw usageError(`${plainLine(file)} ${why}.`, example);
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

/** The service, or the library, checks the members. */
async function readTerms(context: Context, source: string): Promise<Interop.MandateTerms> {
  if (/^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(source))
    return (await (await context.client()).mandates.get(source)).terms;
  const read = await readJson(source, exampleExport);
  const terms = isObject(read) && "terms" in read ? read["terms"] : read;
  if (
    !isObject(terms) ||
    !["acts", "assets", "recipients", "limits"].every((name) => Array.isArray(terms[name]))
  )
    throw usageError(`${plainLine(source)} is not a mandate.`, exampleExport);
  return terms as Interop.MandateTerms;
}

async function readEnforcers(
  file: string | undefined,
  { enforcerNames }: typeof Interop,
): Promise<Enforcers> {
  const read = file === undefined ? {} : await readJson(file, exampleExport);
  const missing = enforcerNames.filter(
    (name) => !isObject(read) || !/^0x[0-9a-fA-F]{40}$/.test(String(read[name])),
  );
  if (missing.length > 0)
    throw usageError(`--enforcers needs the addresses of ${missing.join(", ")}.`, exampleExport);
  return read as Enforcers;
}

function requireDelegate({ delegate = "" }: Exporting): Hex {
  if (!/^0x[0-9a-fA-F]{40}$/.test(delegate))
    throw usageError("--delegate must be the agent's address.", exampleExport);
  return delegate as Hex;
}

/** Shows the result. A conversion that would allow more is refused, with every reason. */
async function answer(
  { output, endWith }: Context,
  { ConversionRefused }: typeof Interop,
  convert: () => Promise<{ readonly result: unknown; readonly narrowed: readonly string[] }>,
): Promise<void> {
  try {
    const { result, narrowed } = await convert();
    for (const line of narrowed) output.notice(plainLine(`Note: ${line}`));
    output.answer({ result, narrowed }, () => JSON.stringify(result, null, 2));
  } catch (error) {
    if (!(error instanceof ConversionRefused)) throw error;
    endWith(exitCodes.no);
    const { reasons } = error;
    output.answer({ refused: reasons }, () => ["Not converted.", ...reasons].map(plainLine).join("\n"));
  }
}

async function exportMandate(context: Context, source: string, options: Exporting): Promise<void> {
  const interop = await import("@countersign/sdk/interop");
  const terms = await readTerms(context, source);
  await answer(context, interop, async () => {
    if (options.as === "ap2") {
      const { intent, narrowed } = interop.toAp2(terms);
      return { result: intent, narrowed };
    }
    const delegate = requireDelegate(options);
    if (options.as === "erc7715") {
      const { permissions, narrowed } = interop.toErc7715(terms, { delegate });
      return { result: permissions, narrowed };
    }
    const enforcers = await readEnforcers(options.enforcers, interop);
    const { delegations, narrowed } = interop.toErc7710(terms, { delegate, enforcers });
    return { result: delegations, narrowed };
  });
}

function formatOf(list: readonly unknown[], file: string): Format {
  const isAll = (name: string): boolean =>
    list.length > 0 && list.every((one) => isObject(one) && name in one);
  if (isAll("permission")) return "erc7715";
  if (isAll("caveats")) return "erc7710";
  if (list.length === 1 && isAll("natural_language_description")) return "ap2";
  throw usageError(`${plainLine(file)} has none of these formats: ${formats.join(", ")}.`, exampleImport);
}

type Owners = Pick<Interop.Draft, "assets" | "limits">;

/** The library, and then the service, check the members. */
const isOwners = (value: unknown): value is Owners =>
  isObject(value) && Array.isArray(value["assets"]) && Array.isArray(value["limits"]);

async function readOwners(file: string | undefined): Promise<Owners> {
  const read = file === undefined ? undefined : await readJson(file, exampleImport);
  if (!isOwners(read))
    throw usageError(
      "An intent mandate has no assets and limits: give them in a file with --with.",
      exampleImport,
    );
  return { assets: read.assets, limits: read.limits };
}

async function importMandates(
  context: Context,
  file: string,
  { agent, decimals, ...options }: Importing,
): Promise<void> {
  const interop = await import("@countersign/sdk/interop");
  const read = await readJson(file, exampleImport);
  const list: readonly unknown[] = Array.isArray(read) ? read : [read];
  const format = formatOf(list, file);
  const common = { agent, decimals, now: Math.floor(Date.now() / 1000) };
  await answer(context, interop, async () => {
    const imported =
      format === "erc7715"
        ? interop.fromErc7715(list as readonly Interop.Erc7715Permission[], common)
        : format === "erc7710"
          ? interop.fromErc7710(list as readonly Interop.Erc7710Delegation[], {
              ...common,
              enforcers: await readEnforcers(options.enforcers, interop),
            })
          : interop.fromAp2(list[0] as Interop.Ap2IntentMandate, {
              ...common,
              ...(await readOwners(options.with)),
            });
    const { drafts, narrowed } = imported;
    // One draft can be piped into `mandates grant`.
    return { result: drafts.length === 1 ? drafts[0] : drafts, narrowed };
  });
}
