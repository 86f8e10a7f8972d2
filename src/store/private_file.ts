/** Makes an empty file that only its owner can read. Throws `Deno.errors.AlreadyExists` for one that is there. */
export function createPrivately(path: string): void {
  Deno.openSync(path, { createNew: true, write: true, mode: 0o600 }).close();
}
