import type { BackendRegistry } from "../../backends/registry.ts";
import type { CapabilityStore } from "../../backends/capabilities.ts";
import type { Route } from "../../http/route.ts";
import type { BucketService } from "../service.ts";
import type { SettingsDocuments } from "./documents.ts";
import { policyRoutes } from "./policy_routes.ts";
import { PropertiesReader } from "./properties.ts";
import { propertiesRoute } from "./properties_routes.ts";
import { ruleRoutes } from "./rule_routes.ts";
import { versioningRoutes } from "./versioning_routes.ts";

/** What {@link bucketSettingsRoutes} needs. */
export interface BucketSettingsRoutesDeps {
  readonly registry: BackendRegistry;
  readonly documents: SettingsDocuments;
  readonly capabilities: CapabilityStore;
  readonly buckets: BucketService;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

/** Routes that show and set what a backend keeps about a bucket. */
export function bucketSettingsRoutes(
  { registry, documents, capabilities, buckets, clock }: BucketSettingsRoutesDeps,
): Route[] {
  const properties = new PropertiesReader({ registry, documents, capabilities, clock });
  buckets.onCreate((backend, bucket) => properties.forget(backend, bucket));
  buckets.onDelete((backend, bucket) => properties.forget(backend, bucket));
  const deps = { registry, documents };
  return [
    ...versioningRoutes(deps),
    ...ruleRoutes(deps),
    ...policyRoutes(deps),
    propertiesRoute(registry, properties),
  ];
}
