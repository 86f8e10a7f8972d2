/** What a thrown value says of itself: the message of an error, the text of anything else. */
export function errorMessage(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
