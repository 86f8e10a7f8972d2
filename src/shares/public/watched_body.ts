/** An answer's body that calls `onOver` once it has ended, failed or is not wanted any more. */
export function watchedBody(
  body: ReadableStream<Uint8Array>,
  onOver: () => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
      } catch (error) {
        onOver();
        throw error;
      }
      onOver();
      controller.close();
    },
    async cancel(reason) {
      onOver();
      await reader.cancel(reason);
    },
  }, { highWaterMark: 0 });
}
