import type { ComponentChildren, ComponentType, VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import type { Me } from "../../static/lib/boot_data.js";
import { html } from "../../static/lib/html.js";
import { meJson } from "../account/me_routes.ts";
import type { Principal } from "../auth/principal.ts";
import type { PageDeps } from "./deps.ts";
import { renderDocument } from "./document.ts";
import { type Crumb, Frame } from "./frame.ts";
import { escapeJson, htmlResponse } from "./html_response.ts";
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
  readonly island?: PageIsland;
  /** Server-rendered content of a page without an island. */
  readonly content?: ComponentChildren;
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

  /** Answers with `page` as the user of the request sees it. */
  respond({ request, principal }: PageRequest, page: Page): Response {
    const me = principal === null ? null : meJson(principal, this.#deps.sessions);
    const now = this.#deps.clock();
    const { island } = page;
    const content = island === undefined
      ? page.content
      : html`<${island.component} ...${island.props} me=${me} now=${now} />`;
    const body = me === null ? bare(island?.name, content) : this.#framed(me, page, pathOf(request), content);
    const boot = escapeJson({ now, me, island: island?.name ?? null, props: island?.props ?? {} });
    return htmlResponse(
      this.#document({ request, principal }, page, renderToString(body), boot),
      page.status,
      page.headers,
    );
  }

  #framed(me: Me, { title, crumbs, layout, island }: Page, path: string, content: ComponentChildren): VNode {
    const backends = me.must_change_pw ? [] : this.#deps.backends.list();
    return html`
      <${Frame} me=${me} backends=${backends} path=${path} crumbs=${crumbs ?? [{ label: title }]}>
        <div class=${layout === "fill" ? "page-fill" : "page"} data-island=${island?.name}>${content}</div>
        <//>
    `;
  }

  #document(
    { request, principal }: PageRequest,
    { title, styles, island }: Page,
    body: string,
    boot: string,
  ): string {
    return renderDocument(this.#files, {
      title: `${title} · Storage dashboard`,
      headers: request.headers,
      styles,
      script: "lib/boot.js",
      modules: [
        ...principal === null ? [] : ["lib/signed_in.js"],
        ...island === undefined ? [] : [`islands/${island.name}.js`, ...island.modules ?? []],
      ],
      body: `${body}
<div id="toasts" class="toasts" role="status"></div>
<div id="alerts" class="toasts toasts-errors" role="alert"></div>
<script type="application/json" id="boot">${boot}</script>`,
    });
  }
}

/** A page outside the frame: its content alone, in the middle. */
function bare(island: string | undefined, content: ComponentChildren): VNode {
  return html`
    <main class="bare" id="main" tabindex="-1">
      <div data-island=${island}>${content}</div>
    </main>
  `;
}

/** The request's path; a request target that is no URL gets an error page, which needs none. */
export function pathOf(request: Request): string {
  return URL.canParse(request.url) ? new URL(request.url).pathname : "";
}
