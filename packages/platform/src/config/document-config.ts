import { z } from "zod";

/** One setting as an operator needs to know it. */
export type DocumentedSetting = {
  readonly name: string;
  readonly description: string;
  readonly fallback: string | undefined;
  readonly required: boolean;
  readonly secret: boolean;
  /** Undefined where production is treated like development. */
  readonly inProduction: "required" | "unset" | undefined;
};

/** Reads the settings off the schema that parses them, so that the documents cannot say something else. */
export function documentConfig(schema: z.ZodObject): readonly DocumentedSetting[] {
  const described = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  const required = new Set(described.required);
  return Object.entries(described.properties ?? {}).map(([name, property]) => {
    const about = typeof property === "boolean" ? {} : property;
    if (about.description === undefined) throw new Error(`${name} has no description`);
    return {
      name,
      description: about.description,
      fallback: about.default === undefined ? undefined : JSON.stringify(about.default).replace(/^"|"$/g, ""),
      required: required.has(name),
      secret: about["secret"] === true,
      inProduction: productionRuleOf(about["inProduction"]),
    };
  });
}

const productionRuleOf = (rule: unknown): DocumentedSetting["inProduction"] =>
  rule === "required" || rule === "unset" ? rule : undefined;

const remarkOn = ({ inProduction }: DocumentedSetting): string =>
  ({ required: "Required in production.", unset: "Refused in production.", none: "" })[
    inProduction ?? "none"
  ];

export function writeEnvExample(app: string, settings: readonly DocumentedSetting[]): string {
  const lines = settings.map((setting) => {
    const { name, description, fallback, required, secret } = setting;
    const remarks = [required ? "Required." : "", remarkOn(setting), secret ? "Secret." : ""]
      .filter((remark) => remark !== "")
      .join(" ");
    const assignment = required ? `${name}=` : `#${name}=${fallback ?? ""}`;
    return `# ${description}${remarks === "" ? "" : ` ${remarks}`}\n${assignment}\n`;
  });
  return `# Settings of apps/${app}. GENERATED from its config.ts by npm run generate.\n\n${lines.join("\n")}`;
}

export function writeConfigTable(app: string, settings: readonly DocumentedSetting[]): string {
  const rows = settings.map((setting) => {
    const { name, description, fallback, required, secret } = setting;
    const remarks = [description, remarkOn(setting), secret ? "Secret." : ""].filter((text) => text !== "");
    const otherwise = required ? "required" : fallback === undefined ? "unset" : `\`${fallback}\``;
    return `| \`${name}\` | ${otherwise} | ${remarks.join(" ")} |`;
  });
  return `## apps/${app}\n\n| Variable | Default | Meaning |\n|---|---|---|\n${rows.join("\n")}\n`;
}
