/** What bounds a server's connections; times are milliseconds, sizes bytes. */
export interface ServerLimits {
  /** Size of a request's head. */
  readonly maxHeadBytes: number;
  /** How long a head may take from its first byte, or from the connection's beginning. */
  readonly headTimeoutMs: number;
  /** How long a connection may stay unused between two requests. */
  readonly keepAliveMs: number;
  /** How long a client may pause within a body, or in taking an answer. */
  readonly idleTimeoutMs: number;
  /** A body that comes slower than this many bytes a second is ended, once it was waited for this long. */
  readonly minBodyRate: number;
  readonly slowBodyMs: number;
  /** How long a body that was refused unread is read on, so that the client sees why instead of a reset. */
  readonly lingerMs: number;
  /** Connections at once; more are refused. */
  readonly maxConnections: number;
}
