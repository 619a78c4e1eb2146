// Writes JSON schemas as Python types.

export type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly description?: string;
};

/** Adds the definition of a class or an alias under its name. */
export type Define = (name: string, definition: string) => void;

const width = 100;

const simple: Readonly<Record<string, string>> = {
  string: "str",
  integer: "int",
  number: "float",
  boolean: "bool",
  null: "None",
};

const keywords = new Set(
  `False None True and as assert async await break class continue def del elif else except finally for from global if
  import in is lambda nonlocal not or pass raise return try while with yield`.split(/\s+/),
);

const isIdentifier = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name) && !keywords.has(name);

/** `requestHash` → `RequestHash`. */
export const capitalized = (name: string): string => `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;

const literal = (value: unknown): string => {
  if (typeof value === "boolean") return value ? "True" : "False";
  return value === null ? "None" : JSON.stringify(value);
};

/** A type that is evaluated when its module is loaded has to be text: it may name a type further down. */
const quoted = (type: string): string => (type.includes('"') ? `'${type}'` : `"${type}"`);

const afterCommas = /(?<=,) (?=["\w])/;
/** Only where the whole line is in brackets. */
export const alsoInUnions = /(?<=,) (?=["\w])| (?=\| )/;

/** Breaks a line at spaces that may be line breaks in Python: those within brackets. */
export function fill(line: string, indent: string, at = afterCommas): string {
  if (line.length <= width) return line;
  const lines: string[] = [];
  let current = "";
  for (const word of line.split(at)) {
    const longer = current === "" ? word : `${current} ${word}`;
    if (longer.length > width && current !== "") {
      lines.push(current);
      current = `${indent}${word}`;
    } else current = longer;
  }
  return [...lines, current].join("\n");
}

function wrap(text: string, prefix: string): string {
  const lines: string[] = [];
  let current = prefix;
  for (const word of text.replaceAll(/\s+/g, " ").trim().split(" ")) {
    const longer = current === prefix ? `${prefix}${word}` : `${current} ${word}`;
    if (longer.length > width && current !== prefix) {
      lines.push(current);
      current = `${prefix}${word}`;
    } else current = longer;
  }
  return [...lines, current].join("\n");
}

export function docstring(text: string, indent: string): string {
  const safe = text.replaceAll("\\", "\\\\").replaceAll('"', "'");
  const [first = "", ...rest] = wrap(`"""${safe}`, indent).split("\n");
  if (rest.length === 0 && first.length + 3 <= width) return `${first}"""`;
  return [first, ...rest, `${indent}"""`].join("\n");
}

const optionsOf = ({ anyOf, oneOf }: Schema): readonly Schema[] | undefined => anyOf ?? oneOf;

const isStructure = ({ properties }: Schema): boolean => properties !== undefined;

function unionOf(options: readonly Schema[], name: string, define: Define): string {
  const areMany = options.filter(isStructure).length > 1;
  const types = options.map((option, index) =>
    typeOf(option, areMany ? `${name}${index + 1}` : name, define),
  );
  return [...new Set(types)].join(" | ");
}

function objectOf(schema: Schema, name: string, define: Define): string {
  if (isStructure(schema)) {
    define(name, structure(name, schema, define));
    return name;
  }
  const { additionalProperties: values } = schema;
  return `dict[str, ${typeof values === "object" ? typeOf(values, `${name}Value`, define) : "Any"}]`;
}

/** Returns the type of a value. Objects in it become classes of their own, named after their place. */
export function typeOf(schema: Schema, name: string, define: Define): string {
  const { $ref: ref, type, items } = schema;
  if (ref !== undefined) return ref.split("/").at(-1) ?? ref;
  if ("const" in schema) return `Literal[${literal(schema.const)}]`;
  if (schema.enum !== undefined) return `Literal[${schema.enum.map(literal).join(", ")}]`;
  const options = optionsOf(schema);
  if (options !== undefined) return unionOf(options, name, define);
  if (typeof type === "object")
    return unionOf(
      type.map((one) => ({ ...schema, type: one })),
      name,
      define,
    );
  if (type === "array") return `list[${typeOf(items ?? {}, `${name}Item`, define)}]`;
  if (type === "object") return objectOf(schema, name, define);
  return simple[type ?? ""] ?? "Any";
}

/** A TypedDict. One with a member that is no Python name has to be written as a call. */
function structure(name: string, schema: Schema, define: Define): string {
  const { properties = {}, required = [], description } = schema;
  const members = Object.entries(properties).map(([member, value]) => {
    const type = typeOf(value, `${name}${capitalized(member)}`, define);
    return { member, type, isRequired: required.includes(member), about: value.description };
  });
  if (!members.every(({ member }) => isIdentifier(member))) {
    const lines = members.map(({ member, type, isRequired }) =>
      fill(`        "${member}": ${isRequired ? quoted(type) : `NotRequired[${quoted(type)}]`},`, "        "),
    );
    return `${name} = TypedDict(\n    "${name}",\n    {\n${lines.join("\n")}\n    },\n)`;
  }
  const lines = members.map(({ member, type, isRequired, about }) => {
    const line = `    ${member}: ${isRequired ? type : `NotRequired[${type}]`}`;
    return `${about === undefined ? "" : `${wrap(about, "    # ")}\n`}${fill(line, "        ")}`;
  });
  const head = description === undefined ? "" : `${docstring(description, "    ")}\n\n`;
  return `class ${name}(TypedDict):\n${head}${lines.length === 0 ? "    pass" : lines.join("\n")}`;
}

/** Defines a named schema: a class for an object, an alias for anything else. */
export function defineSchema(name: string, schema: Schema, define: Define): void {
  const type = typeOf(schema, name, define);
  if (type !== name) define(name, `${name}: TypeAlias = ${quoted(type)}`);
}
