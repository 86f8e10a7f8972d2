import { randomUUID } from "node:crypto";
import { type App, createApp } from "../app.ts";
import { StaticAccountError } from "../auth/static_account.ts";
import type { ListenAddress } from "../config/listen_address.ts";
import type { LoadedConfig } from "../config/load.ts";
import type { Config } from "../config/schema.ts";
import { basePathOf } from "../http/base_path.ts";
import { Server } from "../http/server.ts";
import { Logger } from "../logging/logger.ts";
import { ProfilingListener } from "../profiling/listener.ts";
import { ClusterAccessError } from "../proxy/credentials/kubernetes/cluster_access.ts";
import type { PodEnvironment } from "../proxy/credentials/kubernetes/in_cluster.ts";
import { requestIds } from "../proxy/request_id.ts";
import { S3Server } from "../proxy/server.ts";
import { RootKeyError } from "../secrets/root_key.ts";
import { DatabaseError } from "../store/database.ts";
import { programName } from "../version.ts";
import { CommandError, exitCode } from "./command.ts";
import { errorMessage } from "../error_message.ts";

/** What {@link runService} takes besides the configuration. */
export interface ServiceOptions {
  /** Takes one line of the log. */
  readonly writeLog: (line: string) => void;
  /** What chose the listener's address, for the error when the port is in use: `server.listen` or `--listen`. */
  readonly listenSource: string;
  /** The same for the S3 endpoint: `s3_proxy.listen` or `--proxy-listen`. */
  readonly s3ListenSource: string;
  /** What Kubernetes tells a program that runs in it. */
  readonly pod: PodEnvironment;
  /** Called once the service answers requests. */
  readonly onReady?: (app: App, url: string, s3Url: string | null) => void | Promise<void>;
}

const signals = ["SIGTERM", "SIGINT"] as const;

/**
 * Runs the dashboard and the S3 endpoint until SIGTERM or SIGINT, then drains them; a second signal ends the process at once. Resolves to the
 * exit code. Throws {@link CommandError} when the service cannot start.
 */
export async function runService(
  { config, warnings }: LoadedConfig,
  options: ServiceOptions,
): Promise<number> {
  const logger = new Logger({ ...config.log, clock: Date.now, write: options.writeLog });
  for (const warning of warnings) logger.warn(warning);
  const server = bind(
    config.server.listen,
    options.listenSource,
    (listen) => new Server(listen, logger, randomUUID, basePathOf(config.server.public_url)),
  );
  const s3Server = bindS3(config, options, logger);
  const profiling = await startProfiling(config, logger);
  const s3Port = s3Server?.address.port;
  const app = await start(() => createApp({ config, logger, clock: Date.now, s3Port, pod: options.pod }));
  // Not before: what the start does not expect must end it.
  surviveStrayErrors(logger);
  const stopSignal = listenForSignals(app);
  server.serve(app.handle);
  if (s3Server !== null && app.handleS3 !== null) {
    s3Server.serve(app.handleS3);
    logger.info("S3 endpoint listening", { address: s3Server.url });
  }
  logger.info("listening", { address: server.url });
  await options.onReady?.(app, server.url, s3Server?.url ?? null);
  if (!app.hasUsers()) {
    logger.warn(
      `there are no users yet: add an administrator with "${programName} create-admin --username NAME"`,
    );
  }

  const signal = await stopSignal;
  logger.info("shutting down", { signal, timeout_ms: config.server.shutdown_timeout });
  const timeout = config.server.shutdown_timeout;
  const drained = await Promise.all([
    server.drain(timeout),
    s3Server?.drain(timeout) ?? 0,
    atMost(timeout, app.drain()),
    atMost(timeout, profiling?.close()),
  ]);
  const cutOff = drained[0] + drained[1];
  if (cutOff > 0) logger.warn("requests were cut off: the drain window is over", { requests: cutOff });
  app.close();
  logger.info("stopped");
  return exitCode.ok;
}

function bindS3({ s3_proxy }: Config, { s3ListenSource }: ServiceOptions, logger: Logger): S3Server | null {
  if (!s3_proxy.enabled) return null;
  const options = { clock: Date.now, logger, newRequestId: requestIds() };
  return bind(s3_proxy.listen, s3ListenSource, (listen) => new S3Server(listen, options));
}

/** Before the service itself, so that the profiles of the heap have what its start allocates. */
async function startProfiling({ pprof_listen }: Config, logger: Logger): Promise<ProfilingListener | null> {
  if (pprof_listen === undefined) return null;
  const options = { clock: Date.now, logger, newRequestId: randomUUID };
  const listener = bind(
    pprof_listen,
    "SERVICE_PPROF_LISTEN",
    (listen) => new ProfilingListener(listen, options),
  );
  await listener.start();
  logger.info("profiling listening", { address: listener.url });
  return listener;
}

/** Listens on `listen`; `source` names the key or flag that chose it. */
function bind<T>(listen: ListenAddress, source: string, open: (listen: ListenAddress) => T): T {
  try {
    return open(listen);
  } catch (error) {
    throw listenFailure(listen, source, error);
  }
}

/** The error for an address that cannot be listened on; `source` names the key or flag that chose it. */
export function listenFailure(listen: ListenAddress, source: string, error: unknown): CommandError {
  const reason = error instanceof Deno.errors.AddrInUse
    ? "is in use by another program"
    : `cannot be listened on: ${errorMessage(error)}`;
  return new CommandError(`${source}: ${listen.text} ${reason}`);
}

/** Turns what the operator can put right into a {@link CommandError}. */
async function start(create: () => Promise<App>): Promise<App> {
  try {
    return await create();
  } catch (error) {
    const known = error instanceof DatabaseError || error instanceof RootKeyError ||
      error instanceof StaticAccountError || error instanceof ClusterAccessError;
    if (known) throw new CommandError(error.message);
    throw error;
  }
}

/** Signals this close together, in milliseconds, are one: a shell and a task runner both pass on what a person typed once. */
const sameSignalWindow = 100;

/** Resolves with the first signal to stop; the second one ends the process. */
function listenForSignals(app: App): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  let firstAt: number | undefined;
  for (const signal of signals) {
    Deno.addSignalListener(signal, () => {
      const now = performance.now();
      firstAt ??= now;
      resolve(signal);
      if (now - firstAt <= sameSignalWindow) return;
      app.close();
      Deno.exit(exitCode.failure);
    });
  }
  return promise;
}

/** Waits for `work`, but no longer than `ms` milliseconds. */
async function atMost(ms: number, work: Promise<void> | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  await Promise.race([work, new Promise<void>((resolve) => timer = setTimeout(resolve, ms))]);
  clearTimeout(timer);
}

/** A promise that nobody waited for must not end the service for everyone. */
function surviveStrayErrors(logger: Logger): void {
  globalThis.addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    logger.error("an error went unhandled", { error: errorMessage(event.reason) });
  });
}
