import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** A socket as the kernel lists it. Addresses are in the kernel's own notation. */
export type Socket = {
  readonly inode: string;
  readonly port: number;
  readonly localAddress: string;
  readonly remoteAddress: string;
  readonly isListening: boolean;
};

const tables = ["tcp", "tcp6", "udp", "udp6"] as const;
const listening = "0A";
const nobody = /^0+$/;
// 127.x.y.z, ::1 and 127.x.y.z inside an IPv6 address, each 32-bit word in the machine's byte order.
const loopback = /^(?:0{16}FFFF0000)?[0-9A-F]{6}7F$|^0{24}01000000$/;

function readSockets(): readonly Socket[] {
  return tables.flatMap((table) => {
    const lines = readProc(`/proc/net/${table}`).trim().split("\n").slice(1);
    return lines.map((line) => parseSocket(line, table.startsWith("tcp")));
  });
}

function parseSocket(line: string, isTcp: boolean): Socket {
  const fields = line.trim().split(/\s+/);
  const [localAddress = "", port = "0"] = (fields[1] ?? "").split(":");
  return {
    inode: fields[9] ?? "",
    port: Number.parseInt(port, 16),
    localAddress,
    remoteAddress: (fields[2] ?? "").split(":")[0] ?? "",
    isListening: isTcp && fields[3] === listening,
  };
}

/** Returns whether it has no sockets beyond this machine. */
export const staysAtHome = ({ localAddress, remoteAddress }: Socket): boolean =>
  loopback.test(localAddress) && (loopback.test(remoteAddress) || nobody.test(remoteAddress));

export function readSocketsOf(pid: number): readonly Socket[] {
  const inodes = new Set(readSocketInodes(pid));
  return readSockets().filter(({ inode }) => inodes.has(inode));
}

/** Who listens on the port, as far as we may know: other users' processes hide their sockets from an ordinary user. */
export function findListener(port: number): { readonly pid: number; readonly command: string } | undefined {
  const inodes = readSockets().filter((socket) => socket.isListening && socket.port === port);
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const pid = pids.map(Number).find((candidate) => {
    const held = new Set(readSocketInodes(candidate));
    return inodes.some(({ inode }) => held.has(inode));
  });
  if (pid === undefined) return undefined;
  return { pid, command: readProc(`/proc/${pid}/cmdline`).split("\0").join(" ").trim().slice(0, 100) };
}

function readSocketInodes(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      const [, inode] = /^socket:\[(\d+)\]$/.exec(readLink(`/proc/${pid}/fd/${fd}`)) ?? [];
      return inode === undefined ? [] : [inode];
    });
  } catch {
    // Gone, or not ours to look into.
    return [];
  }
}

function readLink(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}

function readProc(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
