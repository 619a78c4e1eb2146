const bearer = /^bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i;

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The signed token that comes as `Authorization: Bearer`. Nowhere else is one looked for: not in the address, not in the body. */
export function bearerTokenIn({ authorization }: Headers): string | undefined {
  const [, token] = (typeof authorization === "string" ? bearer.exec(authorization) : null) ?? [];
  return token;
}
