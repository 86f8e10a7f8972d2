import type { VNode } from "preact";
import { html } from "../../static/lib/html.js";
import { Icon } from "../../static/lib/icons.js";
import type { Principal } from "../auth/principal.ts";
import type { Problem } from "../problem.ts";
import { pathOf, type Shell } from "./shell.ts";

/** The request that failed. */
export interface ErrorPageRequest {
  readonly request: Request;
  readonly requestId: string;
  /** Who is signed in: they keep the navigation around the error. */
  readonly principal: Principal | null;
}

interface Words {
  readonly icon: string;
  readonly title: string;
  readonly text: string;
}

/** A problem as a page: what happened, what to do next, and the request id. */
export function errorPage(
  shell: Shell,
  problem: Problem,
  { request, requestId, principal }: ErrorPageRequest,
): Response {
  const words = wordsFor(problem, pathOf(request));
  return shell.respond({ request, principal }, {
    title: words.title,
    content: html`
      <${ErrorContent} ...${words} status=${problem.status} requestId=${requestId}
        signedIn=${principal !== null} />
    `,
    status: problem.status,
    headers: problem.headers,
  });
}

function ErrorContent(
  { icon, title, text, status, requestId, signedIn }: Words & {
    status: number;
    requestId: string;
    signedIn: boolean;
  },
): VNode {
  return html`
    <div class="error-page">
      <span class="empty-icon"><${Icon} name=${icon} /></span>
      <p class="error-status number">${status}</p>
      <h1>${title}</h1>
      <p class="muted">${text}</p>
      <p class="row"><a class="button button-primary" href=${signedIn ? "/" : "/login"}>
        ${signedIn ? "Go to the overview" : "Sign in"}</a></p>
      <p class="faint mono">Request ${requestId}</p>
    </div>
  `;
}

/** Pages of a backend and of a bucket: what they do not find is the backend. */
const backendPage = /^\/b\/[^/]+(\/[^/]*)?$/;

function wordsFor({ status, code, message, detail }: Problem, path: string): Words {
  switch (status) {
    case 403:
      if (code === "mode_disabled" || detail?.reason === "no_role") {
        return { icon: "lock", title: "You cannot sign in this way", text: message };
      }
      return {
        icon: "lock",
        title: "You may not see this page",
        text: "Your account does not have the right for it. An administrator can change that.",
      };
    case 404:
      return backendPage.test(path)
        ? {
          icon: "server",
          title: "No such backend",
          text: "Its id may be mistyped, or the backend has been removed or disabled.",
        }
        : {
          icon: "search",
          title: "Page not found",
          text: "The address may be mistyped, or what was here has been removed.",
        };
    case 429:
      return { icon: "clock", title: "Too many requests", text: "Wait a moment, then load the page again." };
    case 500:
      return {
        icon: "alert",
        title: "The server ran into a problem",
        text: "Load the page again. If it stays, give the request id below to whoever runs this service.",
      };
    case 502:
    case 504:
      return { icon: "plug", title: "The storage backend did not answer", text: message };
    case 503:
      return code === "shutting_down"
        ? { icon: "refresh", title: "The service is restarting", text: "Load the page again in a moment." }
        : { icon: "plug", title: "The service cannot do this right now", text: message };
    default:
      return { icon: "alert", title: "This did not work", text: message };
  }
}
