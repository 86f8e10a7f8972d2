import { Island as Credentials } from "../../static/islands/credentials.js";
import type { Binding, Credential, EffectiveCredential } from "../../static/lib/credentials/credential.js";
import { t } from "../../static/lib/i18n.js";
import type { ClientAddress } from "../http/client_address.ts";
import { defineRoute, type Route } from "../http/route.ts";
import type { BackendViews } from "./deps.ts";
import type { Shell } from "./shell.ts";

/** Who may use the S3 endpoint, as the API's lists show it. */
export interface CredentialViews {
  /** As `GET /api/admin/s3-credentials`, or `GET /api/me/s3-credentials` with the id of a user. */
  readonly credentials: (ownerId?: string) => readonly Credential[];
  /** As `GET /api/admin/s3-proxy/credentials`. */
  readonly effective: () => readonly EffectiveCredential[];
  /** As `GET /api/admin/s3-anonymous`. */
  readonly bindings: () => readonly Binding[];
  /** As `GET /api/admin/s3-proxy/anonymous`. */
  readonly effectiveBindings: () => readonly Binding[];
  /** URL of the S3 endpoint for a client of the dashboard, without a trailing slash. */
  readonly endpointUrl: (client: ClientAddress) => string;
  /** Whether there is a root key, without which no credential can be made. */
  readonly canStoreSecrets: boolean;
  /** `s3_proxy.per_key_rps`: 0 for no limit. */
  readonly requestsPerSecond: number;
  readonly anonymous: { readonly enabled: boolean; readonly requestsPerSecond: number };
}

/** What the pages of credentials are made from; `views` is `null` while the S3 endpoint is switched off. */
export interface CredentialsPageDeps {
  readonly backends: Pick<BackendViews, "list">;
  readonly views: CredentialViews | null;
}

/** The page of one's own credentials, and the one on which administrators look after everyone's. */
export function credentialsPageRoutes(shell: Shell, { backends, views }: CredentialsPageDeps): Route[] {
  const shown = (client: ClientAddress, ownerId: string | undefined) => {
    const all = ownerId === undefined;
    if (views === null) return { all, enabled: false };
    const elsewhere = ({ source }: { readonly source: string }) => source !== "sqlite";
    return {
      all,
      enabled: true,
      credentials: views.credentials(ownerId),
      effective: all ? views.effective().filter(elsewhere) : [],
      bindings: all ? views.bindings() : [],
      effectiveBindings: all ? views.effectiveBindings().filter(elsewhere) : [],
      endpointUrl: views.endpointUrl(client),
      canStoreSecrets: views.canStoreSecrets,
      requestsPerSecond: views.requestsPerSecond,
      anonymous: views.anonymous,
      backends: backends.list().map(({ id, name }) => ({ id, name })),
    };
  };
  return [
    defineRoute({
      method: "GET",
      path: "/credentials",
      guard: "session",
      summary: "Page of one's own S3 credentials",
      audit: "none",
      page: true,
      handler: ({ request, principal, client }) => {
        const props = shown(client, principal.user.id);
        return shell.respond({ request, principal }, () => ({
          title: t("credentials.title"),
          island: { name: "credentials", component: Credentials, props },
        }));
      },
    }),
    defineRoute({
      method: "GET",
      path: "/admin/credentials",
      guard: "admin",
      summary: "Page of everyone's S3 credentials",
      audit: "none",
      page: true,
      handler: ({ request, principal, client }) => {
        const props = shown(client, undefined);
        return shell.respond({ request, principal }, () => ({
          title: t("credentials.title_all"),
          island: { name: "credentials", component: Credentials, props },
        }));
      },
    }),
    defineRoute({
      method: "GET",
      path: "/admin/s3",
      guard: "admin",
      summary: "Another address of the page of everyone's S3 credentials",
      audit: "none",
      page: true,
      handler: () => new Response(null, { status: 303, headers: { location: "/admin/credentials" } }),
    }),
  ];
}
