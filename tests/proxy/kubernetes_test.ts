import assert from "node:assert/strict";
import type { KubernetesServer } from "../support/kubernetes_server.ts";
import {
  appears,
  binding,
  credential,
  disappears,
  following,
  ids,
  unforgiving,
  watchOpens,
} from "../support/kubernetes_source.ts";
import { until } from "../support/poll.ts";

Deno.test("Secrets are listed page by page, then followed", async () => {
  const prepare = (server: KubernetesServer) => {
    for (const name of ["a", "b", "c", "d", "e"]) server.put(credential(name));
    server.put(binding("open", "public", {}, { anonymous_per_source_ip_rps: "2.5" }));
    server.put(credential("foreign", { role: "consumer-secret" }));
  };
  await following({ prepare, timings: unforgiving }, async ({ server, source }) => {
    assert.deepEqual(ids(source), ["ID-a", "ID-b", "ID-c", "ID-d", "ID-e"]);
    assert.equal(source.size, 5);
    assert.equal(source.find("ID-a")?.secretKey, "secret-of-a");
    assert.deepEqual([...source.find("ID-a")?.buckets ?? []], [["bucket-a", "store"]]);
    assert.deepEqual([...source.bindings()], [source.findBinding("public")]);
    assert.equal(source.findBinding("public")?.perSourceIpRps, 2.5);
    await watchOpens(server);
    assert.deepEqual(
      server.requests.map(({ kind, query }) => [kind, query.get("limit"), query.get("continue")]),
      [["list", "500", null], ["list", "500", "2"], ["list", "500", "4"], ["watch", null, null]],
    );
    const watch = server.requests[3].query;
    assert.equal(watch.get("allowWatchBookmarks"), "true");
    assert.equal(watch.get("timeoutSeconds"), "60");

    let changes = 0;
    source.onChange(() => changes++);
    server.put(credential("f"));
    await appears(source, "f");
    server.put(credential("f", {}, { secret_access_key: "secret-of-another" }));
    await until(() => source.find("ID-f")?.secretKey === "secret-of-another", { what: "the new secret" });
    const revokedAt = performance.now();
    server.remove("f");
    await disappears(source, "f");
    assert.ok(performance.now() - revokedAt < 10_000, "a watch tells of it, not a new list after a minute");
    assert.equal(changes, 3);
  });
});

Deno.test("nothing is left of what a Secret said before", async () => {
  const prepare = (server: KubernetesServer) => {
    for (const name of ["renamed", "relabelled", "spoilt", "deleting"]) server.put(credential(name));
    server.put(credential("leaving", { deleting: true }));
    server.put(binding("open", "public"));
  };
  await following({ prepare }, async ({ server, source, log }) => {
    assert.equal(source.find("ID-leaving"), undefined);
    server.put(credential("renamed", {}, { access_key_id: "ID-new" }));
    await disappears(source, "renamed");
    assert.ok(source.find("ID-new"));
    server.put(credential("relabelled", { role: "consumer-secret" }));
    await disappears(source, "relabelled");
    server.put(credential("spoilt", { annotations: { "broker.service.io/expires-at": "tomorrow" } }));
    await disappears(source, "spoilt");
    server.put(credential("deleting", { deleting: true }));
    await disappears(source, "deleting");
    server.put(binding("open", "public", {}, { anonymous_mode: "None" }));
    await until(() => source.findBinding("public") === undefined, { what: "the end of the binding" });
    assert.deepEqual(ids(source), ["ID-new"]);
    assert.equal(source.malformedSecrets, 1);

    server.put(credential("spoilt", { annotations: { "broker.service.io/expires-at": "tomorrow" } }));
    server.compact();
    server.endWatches("in order");
    await watchOpens(server);
    server.put(credential("spoilt"));
    await appears(source, "spoilt");
    assert.equal(source.malformedSecrets, 0);
    assert.equal(log.filter((line) => line.includes('"name":"spoilt"')).length, 1);
  });
});

Deno.test("of two Secrets for one thing the oldest counts, and either can go", async () => {
  const twin = (name: string, createdAt: number) =>
    credential(name, { createdAt }, {
      access_key_id: "ID-twin",
      bucket_name: "shared",
      quota_hard_bytes: String(createdAt),
    });
  const prepare = (server: KubernetesServer) => {
    server.put(twin("young", 2000));
    server.put(twin("old", 1000));
    server.put(binding("young-open", "public", { createdAt: 2000 }, { backend: "young" }));
    server.put(binding("old-open", "public", { createdAt: 1000 }, { backend: "old" }));
  };
  await following({ prepare }, async ({ server, source, log }) => {
    const secretOfTwin = () => source.find("ID-twin")?.secretKey;
    assert.equal(secretOfTwin(), "secret-of-old");
    assert.equal(source.findBinding("public")?.backend, "old");
    assert.equal(source.findQuota("store", "shared")?.hardBytes, 2000);
    assert.equal(source.size, 1);
    assert.equal(log.filter((line) => line.includes("is hidden by an older one")).length, 2);
    server.put(twin("young", 2000));
    server.remove("old");
    server.remove("old-open");
    await until(() => secretOfTwin() === "secret-of-young", { what: "the younger twin" });
    await until(() => source.findBinding("public")?.backend === "young", { what: "the younger binding" });
    server.put(twin("old", 1000));
    await until(() => secretOfTwin() === "secret-of-old", { what: "the older twin again" });
    server.remove("young");
    await until(() => source.findQuota("store", "shared")?.hardBytes === 1000, { what: "the older quota" });
    assert.equal(secretOfTwin(), "secret-of-old");
    server.remove("old");
    await until(() => source.size === 0, { what: "the end of both" });
    assert.deepEqual([...source.quotas()], []);
  });
});
