import type { VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { z } from "zod";
import { html } from "../../static/lib/html.js";
import { t } from "../../static/lib/i18n.js";
import { defineRoute, type Route } from "../http/route.ts";
import { Problem } from "../problem.ts";
import type { ShareDescription } from "../shares/public/description.ts";
import type { ShareListing, ShareListingQuery } from "../shares/public/folder.ts";
import type { ShareContext, ShareGate } from "../shares/public/gate.ts";
import type { Share } from "../shares/share.ts";
import { renderDocument } from "./document.ts";
import { escapeHtml, htmlResponse } from "./html_response.ts";
import { forReader } from "./language.ts";
import { AllSentView, uploadTitle, UploadView } from "./share_upload_view.ts";
import { FolderView, GoneView, LockedView, ObjectView } from "./share_views.ts";
import { pathOf } from "./shell.ts";
import type { StaticFiles } from "./static_files.ts";

/** What {@link SharePages} works with. */
export interface SharePagesDeps {
  readonly files: StaticFiles;
  readonly gate: ShareGate;
  /** As `GET /s/{code}/info` answers. Throws as it does. */
  readonly describe: (share: Share, signal: AbortSignal) => Promise<ShareDescription>;
  /** As `GET /s/{code}/list` answers. Throws as it does. */
  readonly list: (share: Share, query: ShareListingQuery, signal: AbortSignal) => Promise<ShareListing>;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

/** A page for recipients. */
interface SharePage {
  readonly title: string;
  /** For programs that show a link with what is behind it. */
  readonly description?: string;
  readonly content: VNode;
  /** The page's script; that of what is read when absent. */
  readonly script?: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

const query = z.object({
  /** The folder within a shared folder. */
  path: z.string().default(""),
  token: z.string().optional(),
  /** Code of the problem that the password's form, or that of files, ran into. */
  error: z.string().optional(),
  /** How many files the form has sent. */
  sent: z.coerce.number().int().min(0).optional().catch(undefined),
  retry_after: z.coerce.number().int().min(0).optional().catch(undefined),
  /** How many more passwords may be tried for now. */
  left: z.coerce.number().int().min(0).optional().catch(undefined),
});

/**
 * What keeps a link to itself: search engines do not list it, and other sites do not learn it. It must not be `no-referrer`,
 * with which browsers hide where a form comes from, and the password's form would be taken for that of another site.
 */
const discreetHeaders = { "x-robots-tag": "noindex, nofollow", "referrer-policy": "same-origin" };

/**
 * The pages that recipients of a link see: what is shared, a form for its password, or why there is nothing. They say nothing
 * of the dashboard, cost no download, and work without script.
 */
export class SharePages {
  readonly #deps: SharePagesDeps;

  constructor(deps: SharePagesDeps) {
    this.#deps = deps;
  }

  /** `GET /s/{code}`. Looking at it counts as browsing, so that nobody can try out codes here. */
  route(): Route {
    return defineRoute({
      method: "GET",
      path: "/s/{code}",
      guard: "public",
      summary: "A share's page for its recipients",
      audit: "none",
      page: true,
      query,
      handler: async (context) => {
        try {
          return await this.#share(context, context.query);
        } catch (error) {
          if (!(error instanceof Problem)) throw error;
          if (error.code === "password_required") return this.#locked(context, context.query);
          const { sent = 0 } = context.query;
          return error.code === "exhausted" && sent > 0
            ? this.#allSent(sent, context.request)
            : this.problem(error, context.request);
        }
      },
    });
  }

  /** Says why there is nothing to see. */
  problem({ status, code, headers }: Problem, request: Request): Response {
    const retryAfter = Number(headers?.["retry-after"]) || 0;
    return this.#respond(request, () => ({
      title: t("shares.page_link"),
      content: html`<${GoneView} code=${code} retryAfter=${retryAfter} path=${pathOf(request)} />`,
      status,
      headers,
    }));
  }

  async #share(context: ShareContext, asked: z.output<typeof query>): Promise<Response> {
    const { gate, describe, list, clock } = this.#deps;
    const share = gate.admit(context, "browsing");
    const { request } = context;
    const about = await describe(share, request.signal);
    if (about.kind === "object") {
      return this.#respond(request, () => ({
        title: about.name,
        description: t("shares.page_file"),
        content: html`<${ObjectView} about=${about} now=${clock()} />`,
      }));
    }
    if (about.kind === "upload") {
      const outcome = { sent: asked.sent ?? 0, error: asked.error ?? "" };
      return this.#respond(request, () => ({
        title: uploadTitle(about),
        description: t("shares.page_send_text"),
        script: "share/upload.js",
        content: html`<${UploadView} about=${about} outcome=${outcome} now=${clock()} />`,
      }));
    }
    const { path, token } = asked;
    const listing = await list(share, { path, token }, request.signal);
    return this.#respond(request, () => ({
      title: about.kind === "selection" ? t("shares.page_selection") : about.name,
      description: about.kind === "selection" ? t("shares.page_selection_kind") : t("shares.page_folder"),
      content: html`<${FolderView} about=${about} listing=${listing} now=${clock()} />`,
    }));
  }

  /** The thanks for a form whose files were the last that the link takes. */
  #allSent(sent: number, request: Request): Response {
    return this.#respond(request, () => ({
      title: t("shares.page_link"),
      content: html`<${AllSentView} sent=${sent} />`,
    }));
  }

  #locked(
    { request, params }: ShareContext,
    { error = "", retry_after: retryAfter = 0, left = 0 }: z.output<typeof query>,
  ): Response {
    const failure = { code: error, retryAfter, left };
    return this.#respond(request, () => ({
      title: t("shares.page_locked_title"),
      content: html`<${LockedView} code=${params.code} failure=${failure} />`,
    }));
  }

  /** Answers with a page in the language that the browser asks for; `describe` is called with it in force. */
  #respond(request: Request, describe: () => SharePage): Response {
    return forReader(request, () => this.#draw(request, describe()));
  }

  #draw(request: Request, { title, description, content, script, status, headers }: SharePage): Response {
    const preview = description === undefined
      ? ""
      : `<meta property="og:title" content="${escapeHtml(title)}">
<meta property="og:description" content="${escapeHtml(description)}">
`;
    const text = renderDocument(this.#deps.files, {
      title,
      headers: request.headers,
      styles: ["pages.css", "share.css"],
      script: script ?? "share/page.js",
      head: `<meta name="robots" content="noindex, nofollow">
${preview}`,
      body: renderToString(html`<main class="share" id="main" tabindex="-1">${content}</main>`),
    });
    return htmlResponse(text, status, { ...discreetHeaders, ...headers });
  }
}
