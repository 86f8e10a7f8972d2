import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { type ExternalProgram, requireExecutable, skipWithout } from "../support/executables.ts";

/** An entry as Python's `zipfile` reads it. */
export interface ReadEntry {
  readonly name: string;
  readonly size: number;
  /** Decoded as UTF-8; of the first 4,096 bytes. */
  readonly text: string;
  readonly sha256: string;
  /** In UTC, such as `2024-05-01T12:30:00`. */
  readonly modified: string;
  /** Permissions and type, such as 0o100644. */
  readonly mode: number;
  readonly isFolder: boolean;
}

/** An archive as Python's `zipfile` reads it. */
export interface ReadArchive {
  /** Entries whose content is not what its CRC says. */
  readonly damaged: readonly string[];
  readonly entries: readonly ReadEntry[];
}

const pythonReader = fileURLToPath(new URL("read_zip.py", import.meta.url));

/** A program that checks an archive, and its arguments in front of the path. */
interface Checker {
  readonly program: ExternalProgram;
  readonly args: readonly string[];
  /** Whether it compares contents with their checksums. */
  readonly findsDamage: boolean;
}

const checkers: readonly Checker[] = [
  { program: "unzip", args: ["-tqq"], findsDamage: true },
  { program: "7z", args: ["t"], findsDamage: true },
  // It would unpack to check.
  { program: "bsdtar", args: ["-tf"], findsDamage: false },
];

/** Reads an archive with Python, and lets every other program at hand, in CI all of them, say whether it is good. */
export async function readArchive(bytes: Uint8Array): Promise<ReadArchive> {
  return await withFile(bytes, async (path) => {
    const archive = await readFile(path);
    for (const { program, args, findsDamage } of checkers) {
      if (skipWithout(program)) continue;
      const command = new Deno.Command(requireExecutable(program), {
        args: [...args, path],
        stdin: "null",
        // Without a locale, bsdtar takes names that are not ASCII for damage.
        env: { LC_ALL: "C.UTF-8" },
      });
      const { success } = await command.output();
      const isDamaged = findsDamage && archive.damaged.length > 0;
      assert.equal(success, !isDamaged, `what ${program} says of the archive`);
    }
    return archive;
  });
}

/** Reads the directory of an archive and its last entry. */
export async function readDirectory(bytes: Uint8Array): Promise<ReadArchive> {
  return await withFile(bytes, (path) => readFile(path, false));
}

/** Reads an archive that is in a file with Python; without `content` only its directory and its last entry. */
export async function readFile(path: string, content = true): Promise<ReadArchive> {
  const { success, stdout, stderr } = await new Deno.Command("python3", {
    args: [pythonReader, path, content ? "all" : "last"],
  }).output();
  assert.ok(success, new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout));
}

/** The texts of an archive by the names of its entries. */
export function texts({ entries }: ReadArchive): Record<string, string> {
  return Object.fromEntries(entries.map(({ name, text }) => [name, text]));
}

async function withFile<T>(bytes: Uint8Array, work: (path: string) => Promise<T>): Promise<T> {
  const path = await Deno.makeTempFile({ suffix: ".zip" });
  try {
    await Deno.writeFile(path, bytes);
    return await work(path);
  } finally {
    await Deno.remove(path);
  }
}
