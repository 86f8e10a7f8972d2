import type { ComponentChildren, VNode } from "preact";
import type { Me } from "../../static/lib/boot_data.js";
import { BrandMark } from "../../static/lib/brand_mark.js";
import { html } from "../../static/lib/html.js";
import { Icon } from "../../static/lib/icons.js";
import { healthState } from "../../static/lib/probe_strip.js";
import type { BackendSummary } from "./deps.ts";

/** One step of the path in the top bar; the last one is the page itself. */
export interface Crumb {
  readonly label: string;
  readonly href?: string;
}

interface FrameProps {
  readonly me: Me;
  readonly backends: readonly BackendSummary[];
  readonly path: string;
  readonly crumbs: readonly Crumb[];
  readonly children: ComponentChildren;
}

interface Entry {
  readonly href: string;
  readonly label: string;
  /** Its name in the bar at the bottom. */
  readonly short?: string;
  readonly icon: string;
  /** The ability that shows it; everybody sees it when absent. */
  readonly can?: string;
}

const overview: Entry = { href: "/", label: "Overview", short: "Browse", icon: "overview" };
const shares: Entry = { href: "/shares", label: "Shares", icon: "share" };
const account: Entry = { href: "/me", label: "Your account", short: "Account", icon: "user" };
const administration: readonly Entry[] = [
  { href: "/admin/usage", label: "Activity", icon: "chart", can: "read_health" },
  { href: "/admin/health", label: "Health", icon: "pulse", can: "read_health" },
  { href: "/admin/backends", label: "Backends", icon: "server", can: "manage_backends" },
  { href: "/admin/users", label: "Users", icon: "users", can: "manage_users" },
  { href: "/admin/audit", label: "Audit log", icon: "audit", can: "read_audit" },
];

/** The rail, the top bar and, on small screens, the bar at the bottom, around a page's content. */
export function Frame({ me, backends, path, crumbs, children }: FrameProps): VNode {
  const allowed = me.must_change_pw
    ? []
    : administration.filter(({ can }) => can === undefined || me.can[can]);
  return html`
    <a class="skip-link" href="#main">Skip to content</a>
    <div class="frame">
      <nav class="rail" id="rail" aria-label="Main" popover="auto">
        <a class="rail-brand" href="/"><${BrandMark} /><span>Storage</span></a>
        <div class="rail-group">
          <${RailLink} entry=${overview} path=${path} />
          ${!me.must_change_pw && html`<${RailLink} entry=${shares} path=${path} />`}
        </div>
        ${backends.length > 0 && html`
          <div class="rail-group">
            <h2>Backends</h2>
            ${backends.map((backend) => html`<${BackendLink} backend=${backend} path=${path} />`)}
          </div>
        `}
        ${allowed.length > 0 && html`
          <div class="rail-group">
            <h2>Administration</h2>
            ${allowed.map((entry) => html`<${RailLink} entry=${entry} path=${path} />`)}
          </div>
        `}
        <div class="rail-spacer"></div>
        <div class="rail-group rail-foot">
          <${RailLink} entry=${account} path=${path} />
          <button type="button" class="rail-link rail-collapse needs-script" data-command="toggle-rail">
            <${Icon} name="collapse" /><span>Fold side bar</span>
          </button>
        </div>
      </nav>
      <header class="topbar">
        <${Crumbs} crumbs=${crumbs} />
        ${!me.can.write_objects && html`
          <span class="badge badge-neutral"
            title="Your account may look at buckets and objects and download them. An administrator can give it the right to change them.">Read-only</span>
        `}
        <button type="button" class="icon-button needs-script" data-command="toggle-theme"
          aria-label="Switch between light and dark"
          title="Switch between light and dark"><${Icon} name="theme" /></button>
        <${UserMenu} me=${me} />
      </header>
      <p class="script-note without-script">JavaScript is off: you can look around and download, but not change
        anything, nor sign out. Your session ends by itself.</p>
      <main class="main" id="main" tabindex="-1">${children}</main>
      <nav class="bottom-bar" aria-label="Main, in short">
        ${[overview, ...me.must_change_pw ? [] : [shares], account].map((
          { href, icon, label, short = label },
        ) =>
          html`
            <a href=${href}
              aria-current=${path === href ? "page" : undefined}><${Icon} name=${icon} />${short}</a>
          `
        )}
        <button type="button" popovertarget="rail"><${Icon} name="menu" />More</button>
      </nav>
    </div>
  `;
}

function RailLink({ entry, path }: { entry: Entry; path: string }): VNode {
  return html`
    <a class="rail-link" href=${entry.href} title=${entry.label}
      aria-current=${path === entry.href ? "page" : undefined}><${Icon} name=${entry.icon} /><span>${entry
        .label}</span></a>
  `;
}

function BackendLink({ backend, path }: { backend: BackendSummary; path: string }): VNode {
  const href = `/b/${encodeURIComponent(backend.id)}`;
  const { kind, word } = healthState(backend);
  return html`
    <a class="rail-link" href=${href} title="${backend.name}: ${word}"
      aria-current=${path === href ? "page" : path.startsWith(`${href}/`) ? "true" : undefined}>
        <span class="dot dot-${kind}" role="img" aria-label=${word}></span><span>${backend.name}</span>
      </a>
  `;
}

function Crumbs({ crumbs }: { crumbs: readonly Crumb[] }): VNode {
  return html`
    <nav class="crumbs" aria-label="Path">
      <ol>${crumbs.map(({ label, href }, index) => {
        const last = index === crumbs.length - 1;
        return html`<li>${
          href === undefined || last
            ? html`<span aria-current=${last ? "page" : undefined}>${label}</span>`
            : html`<a href=${href}>${label}</a>`
        }</li>`;
      })}</ol>
    </nav>
  `;
}

function UserMenu({ me }: { me: Me }): VNode {
  return html`
    <button type="button" class="user-button" popovertarget="user-menu" aria-label="Account: ${me.username}">
      <span class="avatar" aria-hidden="true">${me.username.slice(0, 1).toUpperCase()}</span>
    </button>
    <div class="menu user-menu" id="user-menu" popover="auto">
      <div class="menu-head"><strong>${me.username}</strong><span>${roleName(me.role)}</span></div>
      <a class="menu-item" href="/me"><${Icon} name="user" /><span>Your account</span></a>
      <button type="button" class="menu-item needs-script"
        data-command="show-shortcuts"><${Icon} name="keyboard" />
        <span>Keyboard shortcuts</span></button>
      <button type="button" class="menu-item needs-script"
        data-command="sign-out"><${Icon} name="sign-out" /><span>Sign out</span></button>
    </div>
  `;
}

function roleName(role: string): string {
  return role === "admin" ? "Administrator" : role === "readonly" ? "Read only" : "User";
}
