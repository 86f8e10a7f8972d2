/** Why a message cannot be read or sent. */
export type Http1Failure =
  /** The peer sent something that is not valid HTTP/1.1, or that is too ambiguous to be passed on. */
  | "malformed"
  /** The head of a message is larger than allowed. */
  | "too_large"
  /** The connection ended before the message was complete. */
  | "incomplete"
  /** The peer sent or took nothing, or too little, for too long. */
  | "timeout"
  /** No connection could be made. */
  | "unreachable"
  /** The call was given up by its own side. */
  | "aborted";

/** A failure of HTTP/1.1 message exchange. The message names no address. */
export class Http1Error extends Error {
  override readonly name = "Http1Error";
  constructor(readonly failure: Http1Failure, message: string, cause?: unknown) {
    super(message, { cause });
  }
}
