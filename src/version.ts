import project from "../deno.json" with { type: "json" };

/** The name of the program as it is started. */
export const programName = project.name;

/** The version of this program, as `deno.json` has it. */
export const version = project.version;
