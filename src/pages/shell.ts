import type { ComponentChildren, ComponentType, VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import type { Me } from "../../static/lib/boot_data.js";
import { basePath } from "../../static/lib/base.js";
import type { BackendLink, Crumb } from "../../static/lib/frame_parts.js";
import { html } from "../../static/lib/html.js";
import { currentLanguage, t } from "../../static/lib/i18n.js";
import type { PageData } from "../../static/lib/page_data.js";
import { drawFor } from "../../static/lib/reader.js";
import type { Pin } from "../../static/lib/places/pins.js";
import { meJson } from "../account/me_routes.ts";
import type { Principal } from "../auth/principal.ts";
import { withoutBasePath } from "../http/base_path.ts";
import type { PageDeps } from "./deps.ts";
import { renderDocument } from "./document.ts";
import { Frame } from "./frame.ts";
import { escapeJson, htmlResponse } from "./html_response.ts";
import { asksForPageData, pageDataHeader, pageDataResponse } from "./page_data.ts";
import { forReader } from "./language.ts";
import type { StaticFiles } from "./static_files.ts";

/** A component that the server renders and the browser takes over: `static/islands/<name>.js` exports it as `Island`. */
export interface PageIsland {
  readonly name: string;
  // deno-lint-ignore no-explicit-any -- `props` and, beside them, `me` and `now`, which every island gets
  readonly component: ComponentType<any>;
  /** Travels to the browser as JSON. Must hold nothing that this user may not see. */
  readonly props: object;
  /** Modules that its first view needs besides those that it imports statically. */
  readonly modules?: readonly string[];
}

/** What a page puts into the shell. */
export interface Page {
  /** The document's title, the most specific part first; the product's name is added. */
  readonly title: string;
  /** The title alone when absent. */
  readonly crumbs?: readonly Crumb[];
  /** `fill` for a page that manages its own scroll boxes. */
  readonly layout?: "fill";
  /** Style sheets besides `app.css`; `pages.css`, which has the pages other than the object browser, when absent. */
  readonly styles?: readonly string[];
  readonly island: PageIsland;
  /** What the user has pinned, of a page that shows it too; asked for when absent. */
  readonly pins?: readonly Pin[];
  /** 200 when absent. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** For whom a page is rendered. */
export interface PageRequest {
  readonly request: Request;
  /** `null` renders the page without navigation. */
  readonly principal: Principal | null;
}

/** Renders whole documents: head, frame, content, boot data. */
export class Shell {
  readonly #files: StaticFiles;
  readonly #deps: PageDeps;

  constructor(files: StaticFiles, deps: PageDeps) {
    this.#files = files;
    this.#deps = deps;
  }

  /** Answers with the page as the user of the request sees it; `describe` is called with their language in force. */
  respond(pageRequest: PageRequest, describe: () => Page): Response {
    return forReader(pageRequest.request, () => this.#draw(pageRequest, describe()));
  }

  #draw({ request, principal }: PageRequest, page: Page): Response {
    const me = principal === null ? null : meJson(principal, this.#deps.sessions);
    const now = this.#deps.clock();
    drawFor(me);
    const title = `${page.title} · ${t("frame.product")}`;
    const { island: { name, component, props } } = page;
    if (asksForPageData(request)) {
      return pageDataResponse(this.#describe(page, title, me, now), page.status, page.headers);
    }
    const content = html`<${component} ...${props} me=${me} now=${now} />`;
    const body = me === null ? bare(name, content) : html`
      <${Frame} ...${this.#frame(me, page, request)}>
        <div class=${page.layout === "fill" ? "page-fill" : "page"} data-island=${name}>${content}</div>
        <//>
    `;
    const boot = escapeJson({ now, me, island: name, props });
    const document = this.#document(request, page, title, renderToString(body), boot);
    return htmlResponse(document, page.status, { vary: pageDataHeader, ...page.headers });
  }

  #describe(
    { title, crumbs, layout, styles, island }: Page,
    fullTitle: string,
    me: Me | null,
    now: number,
  ): PageData {
    return {
      build: this.#files.build,
      language: currentLanguage(),
      title: fullTitle,
      crumbs: crumbs ?? [{ label: title }],
      layout: layout ?? null,
      styles: styles ?? ["pages.css"],
      // What is outside of the frame cannot be swapped into it.
      island: me === null ? null : island.name,
      props: me === null ? {} : island.props,
      me,
      now,
      backends: me === null ? [] : this.#backends(me),
    };
  }

  #frame(me: Me, { title, crumbs, pins }: Page, request: Request) {
    return {
      me,
      backends: this.#backends(me),
      pins: me.must_change_pw ? [] : pins ?? this.#deps.places.pins(me.id),
      s3Endpoint: this.#deps.s3Endpoint,
      path: pathOf(request),
      crumbs: crumbs ?? [{ label: title }],
      onMac: /Macintosh|iPhone|iPad/.test(request.headers.get("user-agent") ?? ""),
    };
  }

  #backends(me: Me): readonly BackendLink[] {
    if (me.must_change_pw) return [];
    return this.#deps.backends.list()
      .map(({ id, name, healthy, last_probe_at }) => ({ id, name, healthy, last_probe_at }));
  }

  #document(request: Request, { styles, island }: Page, title: string, body: string, boot: string): string {
    return renderDocument(this.#files, {
      title,
      headers: request.headers,
      styles,
      modules: [`islands/${island.name}.js`, ...island.modules ?? []],
      body: `${body}
<div id="tray"></div>
<div class="toasts">
<div id="alerts" class="toast-region" role="alert" aria-atomic="false"></div>
<div id="toasts" class="toast-region" role="status" aria-atomic="false"></div>
</div>
<div id="announcement" class="visually-hidden" role="status"></div>
<script type="application/json" id="boot">${boot}</script>`,
    });
  }
}

/** A page outside the frame: its content alone, in the middle. */
function bare(island: string, content: ComponentChildren): VNode {
  return html`
    <main class="bare" id="main" tabindex="-1">
      <div data-island=${island}>${content}</div>
    </main>
  `;
}

/** The request's path, as the routes know it; a request target that is no URL gets an error page, which needs none. */
export function pathOf(request: Request): string {
  const address = withoutBasePath(request.url, basePath());
  return URL.canParse(address) ? new URL(address).pathname : "";
}
