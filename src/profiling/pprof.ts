import { programName, version } from "../version.ts";
import { ProtobufMessage } from "./protobuf.ts";

/** A function on a stack. */
export interface Frame {
  readonly name: string;
  /** The source file, or the empty string where there is none. */
  readonly file: string;
}

/** What a number of a profile counts, such as `cpu` in `nanoseconds`. */
export interface ValueType {
  readonly type: string;
  readonly unit: string;
}

/** A stack, and what was measured on it. */
export interface StackSample {
  /** The innermost function first. */
  readonly stack: readonly Frame[];
  /** One value for each of {@link StackProfile.sampleTypes}: whole numbers that are not negative. */
  readonly values: readonly number[];
}

/** What a profiler found out. */
export interface StackProfile {
  readonly sampleTypes: readonly ValueType[];
  readonly samples: readonly StackSample[];
  /** What the profiler counts between two samples. */
  readonly periodType: ValueType;
  /** How much of that there is between two samples on average. */
  readonly period: number;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly durationMs: number;
}

const nanosecondsPerMillisecond = 1e6;

/** There is one mapping: all functions belong to this program. */
const mappingId = 1;

/**
 * Encodes a profile in the format of pprof, not yet compressed. The numbers of fields are those of
 * https://github.com/google/pprof/blob/main/proto/profile.proto
 */
export function encodePprof(profile: StackProfile): Uint8Array<ArrayBuffer> {
  const message = new ProtobufMessage();
  const strings = new StringTable();
  const locations = new LocationTable();
  for (const type of profile.sampleTypes) message.message(1, valueType(type, strings));
  for (const { stack, values } of profile.samples) {
    const sample = new ProtobufMessage();
    sample.integers(1, stack.map((frame) => locations.idOf(frame)));
    sample.integers(2, values);
    message.message(2, sample);
  }
  message.message(3, mapping(strings));
  locations.write(message, strings);
  message.integer(9, profile.startedAt * nanosecondsPerMillisecond);
  message.integer(10, Math.round(profile.durationMs * nanosecondsPerMillisecond));
  message.message(11, valueType(profile.periodType, strings));
  message.integer(12, profile.period);
  // Last: every other part puts strings into the table.
  strings.write(message);
  return message.bytes();
}

function valueType({ type, unit }: ValueType, strings: StringTable): ProtobufMessage {
  const message = new ProtobufMessage();
  message.integer(1, strings.indexOf(type));
  message.integer(2, strings.indexOf(unit));
  return message;
}

/** Says that functions have their names and files, so that pprof does not look for the symbols of an executable. */
function mapping(strings: StringTable): ProtobufMessage {
  const message = new ProtobufMessage();
  message.integer(1, mappingId);
  message.integer(5, strings.indexOf(programName));
  message.integer(6, strings.indexOf(version));
  message.integer(7, 1);
  message.integer(8, 1);
  return message;
}

/** Numbers strings in the order of their first use; 0 is the empty string, as the format has it. */
class StringTable {
  readonly #indexes = new Map([["", 0]]);

  indexOf(text: string): number {
    const index = this.#indexes.get(text) ?? this.#indexes.size;
    this.#indexes.set(text, index);
    return index;
  }

  write(message: ProtobufMessage): void {
    for (const text of this.#indexes.keys()) message.string(6, text);
  }
}

/** Numbers frames from 1. Each is a function of its own with one location in it, both with the same number. */
class LocationTable {
  readonly #ids = new Map<string, number>();
  readonly #frames: Frame[] = [];

  idOf(frame: Frame): number {
    const key = `${frame.name}\n${frame.file}`;
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const id = this.#frames.push(frame);
    this.#ids.set(key, id);
    return id;
  }

  write(message: ProtobufMessage, strings: StringTable): void {
    for (const [index, frame] of this.#frames.entries()) {
      message.message(4, location(index + 1));
      message.message(5, functionOf(index + 1, frame, strings));
    }
  }
}

function location(id: number): ProtobufMessage {
  const line = new ProtobufMessage();
  line.integer(1, id);
  const message = new ProtobufMessage();
  message.integer(1, id);
  message.integer(2, mappingId);
  message.message(4, line);
  return message;
}

function functionOf(id: number, { name, file }: Frame, strings: StringTable): ProtobufMessage {
  const message = new ProtobufMessage();
  message.integer(1, id);
  message.integer(2, strings.indexOf(name));
  message.integer(4, strings.indexOf(file));
  return message;
}
