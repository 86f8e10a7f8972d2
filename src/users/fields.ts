import { z } from "zod";

/** A user name: what can be typed, compared and shown without surprise. */
export const usernameField = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._@+-]{0,63}$/, {
  error: "must be 1 to 64 letters, digits or . _ @ + -, the first a letter or digit",
});

/** An e-mail address; an empty one means none. */
export const emailField = z.union([z.literal(""), z.email().max(254)], {
  error: "must be an e-mail address",
});

/** A role. */
export const roleField = z.enum(["readonly", "user", "admin"], { error: "must be readonly, user or admin" });

/** Where a user's identity comes from. */
export const identitySourceField = z.enum(["local", "oidc", "static"]);

/** A password, its length apart, which the policy checks. */
export const passwordField = z.string({ error: "must be a string" });
