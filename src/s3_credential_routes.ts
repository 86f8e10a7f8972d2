import type { UserDirectory } from "./auth/user_directory.ts";
import type { BackendRegistry } from "./backends/registry.ts";
import { listenerUrl } from "./config/listen_address.ts";
import type { Config } from "./config/schema.ts";
import type { Route } from "./http/route.ts";
import type { CredentialViews } from "./pages/credentials_page.ts";
import { anonymousRoutes } from "./proxy/credentials/anonymous_routes.ts";
import { AnonymousService } from "./proxy/credentials/anonymous_service.ts";
import { type EndpointAddress, endpointUrl } from "./proxy/credentials/endpoint_url.ts";
import {
  credentialRoutes,
  type CredentialRoutesDeps,
  listCredentials,
  listEffectiveCredentials,
} from "./proxy/credentials/routes.ts";
import { bindingJson, mergedBindingJson } from "./proxy/credentials/views.ts";
import type { S3Credentials } from "./s3_credentials.ts";

/** What {@link s3CredentialRoutes} takes from the rest of the program. */
export interface S3CredentialRoutesOptions {
  readonly credentials: S3Credentials;
  readonly config: Config;
  readonly registry: BackendRegistry;
  readonly users: UserDirectory;
  /** Port on which the S3 endpoint listens. */
  readonly s3Port: number | undefined;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

/** Who may use the S3 endpoint, as the dashboard manages and shows it. */
export interface S3CredentialManagement {
  readonly routes: readonly Route[];
  readonly views: CredentialViews;
}

/** Builds the routes of the dashboard that manage who may use the S3 endpoint, and what its pages show of them. */
export function buildS3CredentialManagement(options: S3CredentialRoutesOptions): S3CredentialManagement {
  const { credentials: { stored, all, service, uses }, config, registry, users, s3Port, clock } = options;
  const { s3_proxy } = config;
  const address = endpointAddress(config, s3Port);
  const deps: CredentialRoutesDeps = {
    service,
    stored,
    all,
    users,
    uses,
    endpointUrl: (client) => endpointUrl(client, address),
    ownEndpointUrl: listenerUrl(address),
    clock,
  };
  const anonymous = new AnonymousService({ stored, all, registry, clock });
  const anonymousEnabled = s3_proxy.anonymous_enabled;
  return {
    routes: [
      ...credentialRoutes(deps),
      ...anonymousRoutes({ service: anonymous, all, anonymousEnabled }),
    ],
    views: {
      credentials: (ownerId) => listCredentials(deps, ownerId),
      effective: () => listEffectiveCredentials(deps),
      bindings: () => anonymous.list().map(bindingJson),
      effectiveBindings: () => [...all.bindings()].map(mergedBindingJson),
      endpointUrl: deps.endpointUrl,
      canStoreSecrets: stored.canSeal,
      requestsPerSecond: s3_proxy.per_key_rps,
      anonymous: { enabled: anonymousEnabled, requestsPerSecond: s3_proxy.anonymous_rps },
    },
  };
}

function endpointAddress({ s3_proxy, server }: Config, boundPort: number | undefined): EndpointAddress {
  const { listen, host_suffixes: hostSuffixes } = s3_proxy;
  const publicHostname = server.public_url === "" ? null : new URL(server.public_url).hostname;
  return { hostname: listen.hostname, port: boundPort ?? listen.port, hostSuffixes, publicHostname };
}
