import { expect, test } from "vitest";
import { urlsOf } from "../dev/parts.ts";
import { portsFrom } from "../dev/ports.ts";
import { translationTo } from "./addresses.ts";

const { toSystem, toDocument } = translationTo(urlsOf(portsFrom("21000")));

test("the addresses of npm run dev become those of the running system, and back", () => {
  expect(toSystem("curl http://127.0.0.1:3000/health")).toBe("curl http://127.0.0.1:21000/health");
  expect(toSystem("curl -s localhost:8000/validate")).toBe("curl -s 127.0.0.1:21002/validate");
  expect(toDocument(toSystem("http://127.0.0.1:18545"))).toBe("http://127.0.0.1:18545");
});

test("other addresses stay", () => {
  for (const other of ["https://example.com:3000", "127.0.0.1:30001", "http://127.0.0.1:18090/v1"])
    expect(toSystem(other)).toBe(other);
});
