import { type BackendReferences, counted } from "../backends/references.ts";
import type { ShareService } from "./service.ts";

/** The shares that work and point at a backend. They are revoked, not removed: their links say so. */
export function shareReferences(shares: ShareService): BackendReferences {
  return {
    describe: (backendId) => counted(shares.countUsable({ backendId }), "share"),
    remove: (backendId) => {
      shares.revokeAll({ backendId });
    },
  };
}
