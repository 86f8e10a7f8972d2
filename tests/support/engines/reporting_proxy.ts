/** Stands between a browser and the program where the browser itself does not tell of errors in its pages. */
export interface ReportingProxy {
  /** Its base URL, without a trailing slash, by which a browser is to visit the program. */
  readonly origin: string;
  /** What pages have reported, oldest first. */
  readonly log: string[];
  stop(): Promise<void>;
}

const scriptPath = "/test-reporting.js";
const reportPath = "/test-reports";

/** Reports at once, so that nothing comes later than what a page has reported after it, and nothing is lost at its end. */
const script = `
  const report = (text) => {
    const request = new XMLHttpRequest();
    request.open("POST", "${reportPath}", false);
    request.send(text);
  };
  const { error } = console;
  console.error = (...args) => {
    error.apply(console, args);
    report(args.join(" "));
  };
  addEventListener("error", ({ message, error, target }) =>
    report(error?.stack ? message + " " + error.stack : message ?? "could not load " + (target.src ?? target.href)), true);
  addEventListener("unhandledrejection", ({ reason }) =>
    report("unhandled rejection: " + reason + " " + (reason?.stack ?? "")));
  addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
    report("content security policy: " + violatedDirective + " blocked " + blockedURI));
`;

/** Starts one in front of `target`. It changes nothing but that pages load a script more, before any other. */
export function startReportingProxy(target: string): ReportingProxy {
  const log: string[] = [];
  // A request that the browser has given up is nobody's fault, and what the program does not answer is seen in the page.
  const onError = () => new Response(null, { status: 502 });
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {}, onError }, async (request) => {
    const { pathname, search } = new URL(request.url);
    if (pathname === scriptPath) {
      return new Response(script, { headers: { "content-type": "text/javascript" } });
    }
    if (pathname === reportPath) {
      log.push(await request.text());
      return new Response(null, { status: 204 });
    }
    const { method, headers, body, signal } = request;
    const answer = await fetch(target + pathname + search, {
      method,
      headers,
      body,
      signal,
      redirect: "manual",
    });
    return isPage(answer) ? await withScript(answer) : answer;
  });
  return {
    origin: `http://127.0.0.1:${server.addr.port}`,
    log,
    stop: () => server.shutdown(),
  };
}

/** Whether an answer is a page whose policy lets it load scripts: a stored document's does not. */
function isPage({ headers }: Response): boolean {
  return /^text\/html\b/.test(headers.get("content-type") ?? "") &&
    /script-src 'self'/.test(headers.get("content-security-policy") ?? "");
}

async function withScript(page: Response): Promise<Response> {
  const html = (await page.text()).replace("<head>", `<head><script src="${scriptPath}"></script>`);
  const headers = new Headers(page.headers);
  headers.delete("content-length");
  return new Response(html, { status: page.status, headers });
}
