// The profile file: one per user, readable only by that user, replaced atomically.
import { randomUUID } from "node:crypto";
import { chmod, mkdir, open, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { CliError, usageError } from "../errors.ts";
import { exitCodes } from "../exit-codes.ts";
import { isProfileName, readProfileFile, type Profile, type ProfileFile } from "./profile-shape.ts";

export type { Profile } from "./profile-shape.ts";

export type Profiles = {
  /** Directory for profile files; mode 0700 once something is saved. */
  readonly directory: string;
  readonly file: string;
  readonly read: () => Promise<ProfileFile>;
  /** Writes the result of `change`; undefined removes the profile. The first profile becomes the current one. */
  readonly change: (
    name: string,
    change: (profile: Profile | undefined) => Profile | undefined,
    options?: { readonly makeCurrent?: boolean },
  ) => Promise<void>;
  readonly use: (name: string) => Promise<void>;
};

export function makeProfiles(directory: string): Profiles {
  const file = join(directory, "profiles.json");
  const read = (): Promise<ProfileFile> => readFileOf(file);
  const update = (next: (before: ProfileFile) => ProfileFile): Promise<void> =>
    alone(directory, `${file}.lock`, async () => {
      await replace(file, next(await read()));
    });
  return {
    directory,
    file,
    read,
    change: async (name, change, { makeCurrent = false } = {}) => {
      if (!isProfileName(name))
        throw usageError("Profile names can contain letters, digits, dots, dashes and underscores.");
      await update((before) => changed(before, name, change(before.profiles[name]), makeCurrent));
    },
    use: (name) =>
      update((before) => {
        if (!Object.hasOwn(before.profiles, name)) throw noSuchProfile(name);
        return { ...before, current: name };
      }),
  };
}

export const noSuchProfile = (name: string): CliError =>
  new CliError(`Profile not found: ${name}`, {
    ...{ code: "no_such_profile", exitCode: exitCodes.notFound },
    hint: "countersign profiles list",
  });

function changed(
  { current, profiles }: ProfileFile,
  name: string,
  profile: Profile | undefined,
  makeCurrent: boolean,
): ProfileFile {
  const { [name]: _, ...others } = profiles;
  if (profile === undefined)
    return { ...(current === undefined || current === name ? {} : { current }), profiles: others };
  return {
    current: makeCurrent ? name : (current ?? name),
    profiles: { ...others, [name]: profile },
  };
}

async function readFileOf(file: string): Promise<ProfileFile> {
  let content: string;
  try {
    content = await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return { profiles: {} };
    throw brokenFile(file, "access failed");
  }
  const read = readProfileFile(content);
  if (typeof read === "string") throw brokenFile(file, read);
  return read;
}

/** A broken file is not overwritten: it may hold the only copy of a key. */
const brokenFile = (file: string, problem: string): CliError =>
  new CliError(`The profile file can't be read: ${problem}.`, {
    ...{ code: "broken_profile_file", exitCode: exitCodes.unexpected },
    hint: `Fix or move ${file}`,
  });

async function replace(file: string, content: ProfileFile): Promise<void> {
  const text = `${JSON.stringify(content, undefined, 2)}\n`;
  // An unreadable file would lock the user out of all profiles.
  const problem = readProfileFile(text);
  if (typeof problem === "string") throw usageError(`Couldn't save the profile: ${problem}.`);
  const draft = `${file}.${randomUUID()}`;
  try {
    const handle = await open(draft, "wx", 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

const lockWaitMs = 25;
/** A lock this old belongs to a process that was killed. */
const staleMs = 10_000;

/** Serializes writes: concurrent commands must not lose a renewed session, whose tokens are single-use. */
async function alone(directory: string, lock: string, work: () => Promise<void>): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await chmod(directory, 0o700);
  while (!(await taken(lock))) await sleep(lockWaitMs);
  try {
    await work();
  } finally {
    await rm(lock, { force: true });
  }
}

async function taken(lock: string): Promise<boolean> {
  try {
    await (await open(lock, "wx", 0o600)).close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    const since = (await stat(lock).catch(() => undefined))?.mtimeMs ?? Date.now();
    if (Date.now() - since > staleMs) await rm(lock, { force: true });
    return false;
  }
}
