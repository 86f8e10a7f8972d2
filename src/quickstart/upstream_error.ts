/** The upstream that was asked for cannot be used; the message says why. */
export class UpstreamError extends Error {
  override readonly name = "UpstreamError";
}
