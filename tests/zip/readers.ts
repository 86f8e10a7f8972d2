import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";

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

/** Programs that check an archive, each with its arguments; those that are not installed are left out. */
const checkers = [["unzip", "-tqq"], ["7z", "t"], ["bsdtar", "-tf"]];

/** Reads an archive with Python, and lets every other program at hand say whether it is good. */
export async function readArchive(bytes: Uint8Array): Promise<ReadArchive> {
  return await withFile(bytes, async (path) => {
    const archive = await readFile(path);
    for (const command of checkers) {
      const isGood = await succeeds([...command, path]);
      if (isGood === undefined) continue;
      // bsdtar only lists, since it would unpack to check.
      const isDamaged = archive.damaged.length > 0 && command[0] !== "bsdtar";
      assert.equal(isGood, !isDamaged, `what ${command[0]} says of the archive`);
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

/** `undefined` when the program is not installed. */
async function succeeds([program, ...args]: readonly string[]): Promise<boolean | undefined> {
  try {
    return (await new Deno.Command(program, { args, stdin: "null" }).output()).success;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
