/** A kind of things that point at a backend, and how many of them there are: at least one. */
export interface BackendReference {
  /** In the singular, such as "S3 credential". */
  readonly kind: string;
  readonly count: number;
}

/** What is kept elsewhere and would be of no use without the backend it points at. */
export interface BackendReferences {
  /** What points at a backend; empty when nothing does. */
  describe(backendId: string): BackendReference[];
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

/** A count of references, for {@link BackendReferences.describe}: nothing at all when there is none. */
export function counted(count: number, kind: string): BackendReference[] {
  return count === 0 ? [] : [{ kind, count }];
}

/** References in words, such as "2 S3 credentials". */
export function referenceWords({ kind, count }: BackendReference): string {
  return `${count} ${kind}${count === 1 ? "" : "s"}`;
}
