import { nearest } from "../config/nearest.ts";
import { type Flags, type FlagValues, UsageError } from "./command.ts";

/**
 * Reads the arguments of a command. Throws {@link UsageError} for an unknown flag, a flag without its value, one that is
 * given twice, a required one that is missing, and an argument that belongs to no flag.
 */
export function parseFlags<F extends Flags>(flags: F, args: readonly string[]): FlagValues<F> {
  const given = new Map<string, string | true>();
  const rest = args.values();
  for (const argument of rest) {
    if (!argument.startsWith("--")) throw new UsageError(`unexpected argument ${JSON.stringify(argument)}`);
    const [name, attached] = splitFlag(argument);
    if (!Object.hasOwn(flags, name)) throw unknownFlag(name, flags);
    if (given.has(name)) throw new UsageError(`--${name} is given twice`);
    const placeholder = flags[name].value;
    if (placeholder !== undefined) {
      const value = attached ?? separateValue(rest.next().value);
      if (!value) throw new UsageError(`--${name} needs a value: --${name} ${placeholder}`);
      given.set(name, value);
    } else if (attached === undefined) {
      given.set(name, true);
    } else {
      throw new UsageError(`--${name} takes no value`);
    }
  }
  const values = Object.entries(flags).map(([name, flag]) => {
    const value = given.get(name);
    if (flag.required && value === undefined) throw new UsageError(`--${name} is required`);
    return [name, flag.value === undefined ? value === true : value];
  });
  return Object.fromEntries(values) as FlagValues<F>;
}

/** Whether the arguments of a command ask for its help. */
export function asksForHelp(args: readonly string[]): boolean {
  return args.includes("--help") || args.includes("-h");
}

/** `--name=VALUE` as name and value; `--name` has no value. */
function splitFlag(argument: string): [name: string, value: string | undefined] {
  const equals = argument.indexOf("=");
  return equals === -1
    ? [argument.slice(2), undefined]
    : [argument.slice(2, equals), argument.slice(equals + 1)];
}

/** What looks like a flag is never the value of the one before it: whoever means that writes `--name=--value`. */
function separateValue(argument: string | undefined): string | undefined {
  return argument?.startsWith("--") ? undefined : argument;
}

function unknownFlag(name: string, flags: Flags): UsageError {
  const meant = nearest(name, Object.keys(flags));
  return new UsageError(`unknown flag --${name}${meant === null ? "" : `; did you mean --${meant}?`}`);
}
