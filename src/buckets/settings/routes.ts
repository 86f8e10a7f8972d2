import type { BackendRegistry } from "../../backends/registry.ts";
import type { CapabilityStore } from "../../backends/capabilities.ts";
import type { Route } from "../../http/route.ts";
import { SettingsDocuments } from "./documents.ts";
import { policyRoutes } from "./policy_routes.ts";
import { ruleRoutes } from "./rule_routes.ts";
import { versioningRoutes } from "./versioning_routes.ts";

/** What {@link bucketSettingsRoutes} needs. */
export interface BucketSettingsRoutesDeps {
  readonly registry: BackendRegistry;
  readonly capabilities: CapabilityStore;
}

/** Routes that show and set what a backend keeps about a bucket. */
export function bucketSettingsRoutes({ registry, capabilities }: BucketSettingsRoutesDeps): Route[] {
  const deps = { registry, documents: new SettingsDocuments(capabilities) };
  return [...versioningRoutes(deps), ...ruleRoutes(deps), ...policyRoutes(deps)];
}
