import type { ComponentChildren, ComponentType, VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import type { Me } from "../../static/lib/boot_data.js";
import { html } from "../../static/lib/html.js";
import { meJson } from "../account/me_routes.ts";
import type { Principal } from "../auth/principal.ts";
import type { PageDeps } from "./deps.ts";
import { type Crumb, Frame } from "./frame.ts";
import { escapeHtml, escapeJson, htmlResponse } from "./html_response.ts";
import { readPreferences } from "./preferences.ts";
import type { StaticFiles } from "./static_files.ts";

/** A component that the server renders and the browser takes over: `static/islands/<name>.js` exports it as `Island`. */
export interface PageIsland {
  readonly name: string;
  // deno-lint-ignore no-explicit-any -- `props` and, beside them, `me` and `now`, which every island gets
  readonly component: ComponentType<any>;
  /** Travels to the browser as JSON. Must hold nothing that this user may not see. */
  readonly props: object;
}

/** What a page puts into the shell. */
export interface Page {
  /** The document's title, the most specific part first; the product's name is added. */
  readonly title: string;
  /** The title alone when absent. */
  readonly crumbs?: readonly Crumb[];
  /** `fill` for a page that manages its own scroll boxes. */
  readonly layout?: "fill";
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
    { title, island }: Page,
    body: string,
    boot: string,
  ): string {
    const preferences = Object.entries(readPreferences(request.headers))
      .map(([name, value]) => value === undefined ? "" : ` data-${name}="${value}"`).join("");
    const entries = [
      "lib/boot.js",
      ...principal === null ? [] : ["lib/signed_in.js"],
      ...island === undefined ? [] : [`islands/${island.name}.js`],
    ];
    const modules = new Set(entries.flatMap((entry) => this.#files.moduleUrls(entry)));
    const preloads = [...modules].map((url) => `<link rel="modulepreload" href="${url}">`).join("\n");
    return `<!doctype html>
<html lang="en"${preferences}>
<head>
<meta charset="utf-8">
<title>${escapeHtml(title)} · Storage dashboard</title>
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<link rel="icon" type="image/svg+xml" href="${this.#files.url("favicon.svg")}">
<link rel="stylesheet" href="${this.#files.url("app.css")}">
${preloads}
<script type="module" src="${this.#files.url("lib/boot.js")}"></script>
</head>
<body>
${body}
<div id="toasts" class="toasts" role="status"></div>
<div id="alerts" class="toasts toasts-errors" role="alert"></div>
<script type="application/json" id="boot">${boot}</script>
</body>
</html>
`;
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
