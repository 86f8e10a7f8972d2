/** A moment in milliseconds since the epoch as the API writes it: RFC 3339, in UTC. */
export function timestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
