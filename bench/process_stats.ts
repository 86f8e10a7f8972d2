/** What the kernel says of a process: https://docs.kernel.org/filesystems/proc.html */

/** A clock tick of `/proc/PID/stat`: USER_HZ is 100 on every architecture that Deno runs on. */
const microsecondsPerTick = 10_000;

/** Processor time of a process, user and system, of all its threads, in microseconds. */
export function processorMicroseconds(pid: number): number {
  const stat = Deno.readTextFileSync(`/proc/${pid}/stat`);
  // The name of the program, in parentheses, may hold spaces; the fields after it do not.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [userTicks, systemTicks] = [Number(fields[11]), Number(fields[12])];
  return (userTicks + systemTicks) * microsecondsPerTick;
}

/** Processor time of everything that runs on the machine, on all its cores, in microseconds. */
export function machineMicroseconds(): number {
  const [, times] = /^cpu +(.*)$/m.exec(Deno.readTextFileSync("/proc/stat")) ?? [];
  if (times === undefined) throw new Error("/proc/stat has no line for the whole machine");
  const [user, nice, system, _idle, _wait, interrupts, softInterrupts, steal] = times.split(" ").map(Number);
  return (user + nice + system + interrupts + softInterrupts + steal) * microsecondsPerTick;
}

/** Resident set of a process now, in bytes. */
export function residentBytes(pid: number): number {
  return readStatus(pid, "VmRSS");
}

/** The largest resident set that a process ever had, in bytes. */
export function peakResidentBytes(pid: number): number {
  return readStatus(pid, "VmHWM");
}

function readStatus(pid: number, name: string): number {
  const status = Deno.readTextFileSync(`/proc/${pid}/status`);
  const [, kibibytes] = new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(status) ?? [];
  if (kibibytes === undefined) throw new Error(`/proc/${pid}/status has no ${name}`);
  return Number(kibibytes) * 1024;
}
