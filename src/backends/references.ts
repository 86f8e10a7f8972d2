/** What is kept elsewhere and would be of no use without the backend it points at. */
export interface BackendReferences {
  /** What points at a backend, in words such as "2 S3 credentials"; empty when nothing does. */
  describe(backendId: string): string[];
  /** Removes all of it, or makes it useless. */
  remove(backendId: string): void;
}

/** Several kinds of references as one. */
export function allReferences(...kinds: readonly BackendReferences[]): BackendReferences {
  return {
    describe: (backendId) => kinds.flatMap((kind) => kind.describe(backendId)),
    remove: (backendId) => kinds.forEach((kind) => kind.remove(backendId)),
  };
}

/** A count of references in words, for {@link BackendReferences.describe}: nothing at all when there is none. */
export function counted(count: number, noun: string): string[] {
  return count === 0 ? [] : [`${count} ${noun}${count === 1 ? "" : "s"}`];
}
