import { Island as Settings, prepare } from "../../static/islands/settings.js";
import { t } from "../../static/lib/i18n.js";
import {
  isSectionName,
  sectionCapabilities,
  type SectionName,
  sectionTitles,
  settingsPage,
} from "../../static/lib/settings/section.js";
import { policyWords } from "../../static/lib/settings/policy_words.js";
import type { Capabilities } from "../backends/capabilities.ts";
import { defineRoute, type Route } from "../http/route.ts";
import { notFound } from "../problem.ts";
import { bucketCrumbs } from "./bucket_crumbs.ts";
import type { SectionView } from "./deps.ts";
import { type FirstData, firstData, patientAddress } from "./first_data.ts";
import type { Shell } from "./shell.ts";

/** A backend as the pages about one of its buckets show it. */
export interface BucketBackend {
  readonly id: string;
  readonly name: string;
  readonly region: string;
  readonly capabilities: Capabilities;
  readonly last_probe_at?: string;
}

/** What the pages about a bucket need of the services. */
export interface BucketPageDeps {
  /** An enabled backend. Throws 404 `not_found`. */
  describeBackend(id: string): BucketBackend;
}

/** What the pages of a bucket's settings need of the services. */
export interface SettingsPageDeps extends BucketPageDeps {
  /** A section as the API answers it. Throws as that does. */
  readSetting(
    backend: string,
    bucket: string,
    section: SectionName,
    signal: AbortSignal,
  ): Promise<SectionView>;
}

/** The modules of each section's first view, which its page loads at once. */
const sectionModules: Readonly<Record<SectionName, string>> = {
  "general": "lib/settings/general.js",
  "versioning": "lib/settings/versioning_section.js",
  "cors": "lib/settings/cors_section.js",
  "lifecycle": "lib/settings/lifecycle_section.js",
  "policy": "lib/settings/policy_section.js",
  "quota": "lib/settings/quota_section.js",
  "proxy-cors": "lib/settings/cors_section.js",
};

/** The pages of a bucket's settings, one a section; the first one has the short address. */
export function settingsPageRoutes(
  shell: Shell,
  { describeBackend, readSetting }: SettingsPageDeps,
): Route[] {
  const page = { method: "GET", guard: "session", audit: "none", page: true } as const;
  return [
    defineRoute({
      ...page,
      path: "/b/{bid}/{bucket}/settings",
      summary: "Leads to the first page of a bucket's settings",
      handler({ params: { bid, bucket } }) {
        return redirectToSettings(bid, bucket, "general");
      },
    }),
    defineRoute({
      ...page,
      path: "/b/{bid}/{bucket}/settings/{section}",
      summary: "Page of a section of a bucket's settings",
      async handler({ request, url, params: { bid, bucket, section }, principal }) {
        if (!isSectionName(section)) throw notFound("There is no such page.");
        const backend = describeBackend(bid);
        const { data, error } = await firstSection(
          backend,
          section,
          () => firstData(url, (signal) => readSetting(backend.id, bucket, section, signal)),
        );
        const first = { data, error, again: patientAddress(url) };
        const props = { backend, bucket, section, first };
        await prepare(props);
        return shell.respond({ request, principal }, () => ({
          title: [t(sectionTitles[section]), bucket, backend.name].join(" · "),
          crumbs: bucketCrumbs(backend, bucket, t("settings.title")),
          styles: ["pages.css", "settings.css"],
          island: {
            name: "settings",
            component: Settings,
            props: { ...props, first: { ...first, data: inWords(section, data) } },
            modules: [sectionModules[section]],
          },
          // What a backend lacks has its page all the same.
          status: error === null || error.code === "not_supported" ? undefined : error.status,
        }));
      },
    }),
  ];
}

/** A policy with the words for it, in the language in force: the script can do without what makes them. */
function inWords(section: SectionName, data: SectionView | null): SectionView | null {
  if (section !== "policy" || data === null) return data;
  const { policy } = data.answer as { policy: string };
  return { ...data, answer: { policy, words: policyWords(policy) } };
}

/** The section as it is; nothing of one that the backend is known to lack. */
async function firstSection(
  { capabilities }: BucketBackend,
  section: SectionName,
  read: () => Promise<FirstData<SectionView>>,
): Promise<FirstData<SectionView>> {
  const capability = sectionCapabilities[section];
  if (capability !== undefined && capabilities[capability] === false) return { data: null, error: null };
  return await read();
}

/** Leads to the page of a section, to the first one for a name that is none. */
export function redirectToSettings(backend: string, bucket: string, section: string): Response {
  const location = settingsPage(backend, bucket, isSectionName(section) ? section : "general");
  return new Response(null, { status: 303, headers: { location } });
}
