import type { ComponentChildren, VNode } from "preact";
import type { Me } from "../../static/lib/boot_data.js";
import { BrandMark } from "../../static/lib/brand_mark.js";
import {
  type BackendLink,
  BackendLinks,
  type Crumb,
  Crumbs,
  currentAt,
} from "../../static/lib/frame_parts.js";
import { html } from "../../static/lib/html.js";
import { type MessageKey, t } from "../../static/lib/i18n.js";
import { Icon } from "../../static/lib/icons.js";
import { PinLinks } from "../../static/lib/places/pin_links.js";
import type { Place } from "../../static/lib/places/pins.js";

interface FrameProps {
  readonly me: Me;
  readonly backends: readonly BackendLink[];
  /** What the user has pinned. */
  readonly pins: readonly Place[];
  /** Whether the pages of S3 credentials are there. */
  readonly s3Endpoint: boolean;
  readonly path: string;
  readonly crumbs: readonly Crumb[];
  /** Whether the reader's keyboard has a Command key. */
  readonly onMac: boolean;
  readonly children?: ComponentChildren;
}

interface Entry {
  readonly href: string;
  readonly label: MessageKey;
  readonly icon: string;
  /** The ability that shows it; everybody sees it when absent. */
  readonly can?: string;
  /** Where the pages below it are, if not below its own address. */
  readonly below?: string;
  /** Whether it is there only while the S3 endpoint is on. */
  readonly ofS3Endpoint?: true;
}

const overview: Entry = { href: "/", label: "frame.overview", icon: "overview" };
const account: Entry = { href: "/me", label: "frame.account", icon: "user" };
const work: readonly Entry[] = [
  { href: "/search", label: "frame.search", icon: "search" },
  { href: "/transfers", label: "frame.transfers", icon: "transfer" },
  { href: "/shares", label: "frame.shares", icon: "share" },
  { href: "/credentials", label: "frame.credentials", icon: "key", ofS3Endpoint: true },
];
const administration: readonly Entry[] = [
  { href: "/admin/usage", label: "frame.activity", icon: "chart", can: "read_health" },
  { href: "/admin/health", label: "frame.health", icon: "pulse", can: "read_health" },
  { href: "/admin/backends", label: "frame.backends", icon: "server", can: "manage_backends" },
  { href: "/admin/users", label: "frame.users", icon: "users", can: "manage_users" },
  {
    href: "/admin/credentials",
    label: "frame.all_credentials",
    icon: "key",
    can: "manage_users",
    ofS3Endpoint: true,
  },
  { href: "/admin/audit", label: "frame.audit", icon: "audit", can: "read_audit" },
];
const inShort: readonly Entry[] = [
  { ...overview, label: "frame.browse", below: "/b" },
  ...work.filter(({ ofS3Endpoint }) => !ofS3Endpoint),
];

/** The rail, the top bar and, on small screens, the bar at the bottom, around a page's content. */
export function Frame({ me, backends, pins, s3Endpoint, path, crumbs, onMac, children }: FrameProps): VNode {
  const allowed = (entries: readonly Entry[]) =>
    me.must_change_pw
      ? []
      : entries.filter(({ can, ofS3Endpoint }) =>
        (can === undefined || me.can[can]) && (ofS3Endpoint === undefined || s3Endpoint)
      );
  const link = (entry: Entry) => html`<${RailLink} entry=${entry} path=${path} />`;
  const admin = allowed(administration);
  return html`
    <a class="skip-link" href="#main">${t("frame.skip")}</a>
    <div class="frame">
      <nav class="rail" id="rail" aria-label=${t("frame.main")} popover="auto">
        <a class="rail-brand" href="/"><${BrandMark} /><span>${t("frame.brand")}</span></a>
        <div class="rail-group">${[overview, ...allowed(work)].map(link)}</div>
        <div class="rail-group" id="rail-pins" hidden=${pins.length === 0}>
          <h2>${t("frame.pinned")}</h2>
          <div><${PinLinks} pins=${pins} names=${namesOf(backends)} /></div>
        </div>
        <div class="rail-group" id="rail-backends" hidden=${backends.length === 0}>
          <h2>${t("frame.backends")}</h2>
          <div><${BackendLinks} backends=${backends} path=${path} /></div>
        </div>
        ${admin.length > 0 &&
          html`<div class="rail-group"><h2>${t("frame.administration")}</h2>${admin.map(link)}</div>`}
        <div class="rail-spacer"></div>
        <div class="rail-group rail-foot">
          ${link(account)}
          <button type="button" class="rail-link needs-script" data-command="show-shortcuts"
            title=${t("frame.help")} aria-haspopup="dialog">
            <${Icon} name="info" /><span>${t("frame.help")}</span>
          </button>
          <button type="button" class="rail-link rail-collapse needs-script" data-command="toggle-rail"
            title=${t("frame.fold")}>
            <${Icon} name="collapse" /><span>${t("frame.fold")}</span>
          </button>
        </div>
      </nav>
      <header class="topbar">
        <nav class="crumbs" id="crumbs" aria-label=${t("frame.path")}>
          <${Crumbs} crumbs=${crumbs} />
        </nav>
        <div class="path-edit" id="path-edit"></div>
        <${TopBarTools} me=${me} onMac=${onMac} />
      </header>
      <div class="notes">
        <p class="script-note without-script">${t("frame.no_script")}</p>
        <div id="bars" role="status"></div>
      </div>
      <main class="main" id="main" tabindex="-1">${children}</main>
      <nav class="bottom-bar" aria-label=${t("frame.main_short")}>
        ${(me.must_change_pw ? [account] : inShort).map(({ href, icon, label, below }) =>
          html`
            <a href=${href} data-below=${below}
              aria-current=${currentAt(href, path, below)}><${Icon} name=${icon} />${t(label)}</a>
          `
        )}
        <button type="button" popovertarget="rail"><${Icon} name="menu" />${t("common.more")}</button>
      </nav>
    </div>
  `;
}

function namesOf(backends: readonly BackendLink[]): Record<string, string> {
  return Object.fromEntries(backends.map(({ id, name }) => [id, name]));
}

function RailLink({ entry: { href, icon, label }, path }: { entry: Entry; path: string }): VNode {
  return html`
    <a class="rail-link" href=${href} title=${t(label)} aria-current=${currentAt(href, path)}>
      <${Icon} name=${icon} /><span>${t(label)}</span>
    </a>
  `;
}

/** What stands at the end of the top bar. Whoever has to change their password first has little use for it. */
function TopBarTools({ me, onMac }: { me: Me; onMac: boolean }): VNode {
  return html`
    ${!me.must_change_pw && html`
      <${Command} name="edit-path" icon="edit" label=${t("frame.edit_path")} />
      ${!me.can.write_objects &&
        html`<span class="badge badge-neutral" title=${t("frame.read_only_hint")}>${
          t("common.read_only")
        }</span>`}
      <button type="button" class="search-button needs-script" data-command="open-palette"
        title=${t("frame.open_palette")} aria-haspopup="dialog">
        <${Icon} name="search" /><span>${t("frame.open_palette")}</span><kbd aria-hidden="true">${onMac
          ? "⌘K"
          : "Ctrl K"}</kbd>
      </button>
      <${Command} name="toggle-tray" icon="transfer" label=${t("frame.transfers")} count=${true} />
    `}
    <${Command} name="show-notifications" icon="bell" label=${t("frame.notifications")} count=${true} />
    <${Command} name="toggle-theme" icon="theme" label=${t("frame.switch_theme")} />
    <${UserMenu} me=${me} />
  `;
}

function Command(
  { name, icon, label, count }: { name: string; icon: string; label: string; count?: boolean },
): VNode {
  return html`
    <button type="button" class="icon-button needs-script" data-command=${name}
      aria-label=${label}><${Icon}
      name=${icon} />${count &&
        html`<span class="count" aria-hidden="true"></span>`}</button>
  `;
}

function UserMenu({ me }: { me: Me }): VNode {
  return html`
    <button type="button" class="user-button" popovertarget="user-menu"
      aria-label=${t("frame.account_of", { name: me.username })}>
      <span class="avatar" aria-hidden="true">${me.username.slice(0, 1).toUpperCase()}</span>
    </button>
    <div class="menu user-menu" id="user-menu" popover="auto">
      <div class="menu-head"><strong>${me.username}</strong><span>${t(roles[me.role])}</span></div>
      <a class="menu-item" href="/me"><${Icon} name="user" /><span>${t("frame.account")}</span></a>
      <${MenuCommand} name="toggle-theme" icon="theme" label=${t("frame.switch_theme")} />
      <${MenuCommand} name="show-shortcuts" icon="keyboard" label=${t("frame.shortcuts")} />
      <${MenuCommand} name="sign-out" icon="sign-out" label=${t("frame.sign_out")} />
    </div>
  `;
}

const roles = {
  admin: "frame.role_admin",
  user: "frame.role_user",
  readonly: "frame.role_readonly",
} as const satisfies Record<Me["role"], MessageKey>;

function MenuCommand({ name, icon, label }: { name: string; icon: string; label: string }): VNode {
  return html`
    <button type="button" class="menu-item needs-script" data-command=${name}>
      <${Icon} name=${icon} /><span>${label}</span>
    </button>
  `;
}
