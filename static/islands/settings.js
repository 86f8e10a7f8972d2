// @ts-check
/// <reference lib="dom" />
import { useEffect } from "preact/hooks";
import { t } from "../lib/i18n.js";
import { LazyComponent } from "../lib/lazy_component.js";
// What most forms are made of comes with the page, not with a file of its own.
import "../lib/fields.js";
import { PageHead } from "../lib/page_head.js";
import "../lib/settings/commands.js";
import { loadStates, useStatesSoon } from "../lib/settings/lazy_states.js";
import { sectionCapabilities, sectionNames, sectionTitles, settingsPage } from "../lib/settings/section.js";
import { SectionEditor } from "../lib/settings/section_editor.js";
import { html } from "../lib/ui.js";

/** @import { Me } from "../lib/boot_data.js" */
/** @import { FirstSection, Section, SectionName, SettingsPlace } from "../lib/settings/section.js" */
/** @typedef {{ place: SettingsPlace, first: FirstSection, now: number }} SectionProps */

/**
 * A section that is edited as a form and as JSON.
 * @param {() => Promise<Section<any>>} fetch imports it
 * @returns {LazyComponent<SectionProps>}
 */
function editor(fetch) {
  return new LazyComponent(async () => {
    const section = await fetch();
    return (props) => html`<${SectionEditor} section=${section} ...${props} />`;
  });
}

/** The sections, each with the modules of its own. @type {Readonly<Record<SectionName, LazyComponent<SectionProps>>>} */
const sections = {
  "general": new LazyComponent(async () => (await import("../lib/settings/general.js")).General),
  "versioning": editor(async () => (await import("../lib/settings/versioning_section.js")).versioningSection),
  "cors": editor(async () => (await import("../lib/settings/cors_section.js")).corsSection),
  "lifecycle": editor(async () => (await import("../lib/settings/lifecycle_section.js")).lifecycleSection),
  "policy": editor(async () => (await import("../lib/settings/policy_section.js")).policySection),
  "quota": editor(async () => (await import("../lib/settings/quota_section.js")).quotaSection),
  "proxy-cors": editor(async () => (await import("../lib/settings/cors_section.js")).proxyCorsSection),
};

/**
 * Loads the section that is shown; to be awaited before that is rendered.
 * @param {{ section: SectionName, first: Pick<FirstSection, "data"> }} props
 */
export async function prepare({ section, first }) {
  await Promise.all([sections[section].load(), first.data === null && loadStates()]);
}

/**
 * The settings of a bucket, one section at a time.
 * @param {{
 *   backend: SettingsPlace["backend"], bucket: string, section: SectionName, first: FirstSection, me: Me, now: number
 * }} props
 */
export function Island({ backend, bucket, section, first, me, now }) {
  const place = {
    backend,
    bucket,
    user: me.username,
    canWrite: me.can.write_bucket_settings,
    canDelete: me.can.create_buckets,
    canReadHealth: me.can.read_health,
  };
  useStatesSoon();
  useEffect(() => {
    // On small screens the list is a row that scrolls.
    document.querySelector(".settings-nav [aria-current]")?.scrollIntoView({
      block: "nearest",
      inline: "center",
    });
  }, [section]);
  const { View } = sections[section];
  return html`
    <${PageHead} title=${t("settings.title")}>${t("settings.of_bucket", {
      bucket,
      backend: backend.name,
    })}<//>
    <div class="settings">
      <nav class="settings-nav" aria-label=${t("settings.sections")}>
        <ul>${sectionNames.map((name) => {
          const capability = sectionCapabilities[name];
          const lacks = capability !== undefined && backend.capabilities[capability] === false;
          return html`<li key=${name}><a href=${settingsPage(backend.id, bucket, name)}
            aria-current=${name === section ? "page" : undefined}>${t(sectionTitles[name])}${
            lacks && html`<span class="settings-lacks">${t("settings.not_supported")}</span>`
          }</a></li>`;
        })}</ul>
      </nav>
      <div class="settings-main" key=${section}>
        <p class="notice notice-info without-script">${t("settings.needs_script")}</p>
        <${View} place=${place} first=${first} now=${now} />
      </div>
    </div>
  `;
}
