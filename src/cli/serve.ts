import { defineCommand } from "./command.ts";
import { configFlag, loadConfigFlag } from "./config_flag.ts";
import { podEnvironment } from "./pod.ts";
import { runService } from "./run_service.ts";

/** `serve`: runs the dashboard. */
export const serveCommand = defineCommand({
  flags: { config: configFlag },
  async run({ config }, io) {
    const loaded = await loadConfigFlag(config, io);
    return await runService(loaded, {
      writeLog: io.stderr,
      listenSource: "server.listen",
      s3ListenSource: "s3_proxy.listen",
      pod: podEnvironment(io.env),
    });
  },
});
