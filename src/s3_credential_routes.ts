import type { UserDirectory } from "./auth/user_directory.ts";
import type { BackendRegistry } from "./backends/registry.ts";
import type { Config } from "./config/schema.ts";
import type { Route } from "./http/route.ts";
import { anonymousRoutes } from "./proxy/credentials/anonymous_routes.ts";
import { AnonymousService } from "./proxy/credentials/anonymous_service.ts";
import { type EndpointAddress, endpointUrl } from "./proxy/credentials/endpoint_url.ts";
import { credentialRoutes } from "./proxy/credentials/routes.ts";
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

/** Routes of the dashboard that manage who may use the S3 endpoint. */
export function s3CredentialRoutes(options: S3CredentialRoutesOptions): Route[] {
  const { credentials: { stored, all, service }, config, registry, users, s3Port, clock } = options;
  const address = endpointAddress(config, s3Port);
  return [
    ...credentialRoutes({
      service,
      stored,
      all,
      users,
      endpointUrl: (client) => endpointUrl(client, address),
      clock,
    }),
    ...anonymousRoutes({
      service: new AnonymousService({ stored, all, registry, clock }),
      all,
      anonymousEnabled: config.s3_proxy.anonymous_enabled,
    }),
  ];
}

function endpointAddress({ s3_proxy, server }: Config, boundPort: number | undefined): EndpointAddress {
  const { listen, host_suffixes: hostSuffixes } = s3_proxy;
  const publicHostname = server.public_url === "" ? null : new URL(server.public_url).hostname;
  return { hostname: listen.hostname, port: boundPort ?? listen.port, hostSuffixes, publicHostname };
}
