// The engine keeps its journals in RocksDB, whose write-ahead log is packed. For a search of what is on the disk it must be
// opened first: https://github.com/facebook/rocksdb/wiki/Write-Ahead-Log-File-Format
import { constants, zstdDecompressSync } from "node:zlib";

const blockSize = 32_768;
/** Checksum, length, type. */
const headerSize = 7;
const beginsFrame = Buffer.from("28b52ffd", "hex");

/** The payload, without the frames of the log. */
function payloadOf(log: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let start = 0; start < log.length; start += blockSize) {
    const block = log.subarray(start, start + blockSize);
    for (let at = 0; at + headerSize <= block.length;) {
      const length = block.readUInt16LE(at + 4);
      // Filled up to the end of the block.
      if (length === 0 && block[at + 6] === 0) break;
      parts.push(block.subarray(at + headerSize, at + headerSize + length));
      at += headerSize + length;
    }
  }
  return Buffer.concat(parts);
}

/** Each record is a zstd frame of its own. One that cannot be opened is left as it is. */
function openFrame(frame: Buffer): Buffer {
  try {
    return zstdDecompressSync(frame, { finishFlush: constants.ZSTD_e_flush });
  } catch {
    // The last one, when it is just being written; or four bytes that only look like a beginning.
    return frame;
  }
}

export function unpackWriteAheadLog(log: Buffer): Buffer {
  const payload = payloadOf(log);
  const opened: Buffer[] = [];
  for (let at = payload.indexOf(beginsFrame); at >= 0;) {
    const next = payload.indexOf(beginsFrame, at + beginsFrame.length);
    opened.push(openFrame(payload.subarray(at, next < 0 ? undefined : next)));
    at = next;
  }
  return Buffer.concat(opened);
}
