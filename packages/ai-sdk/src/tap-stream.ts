/**
 * Observes a stream of parts without buffering or reordering; passes errors and cancellation on unchanged. Uses its own reader, since a
 * transform stream cannot tell a completed stream from an aborted or failed one.
 */

export interface StreamWatcher<Part> {
  /** Contract: never throws. */
  onPart(part: Part): void
  /** The stream ended regularly, or the consumer stopped reading. Not called after a failure. */
  onEnd(): void
}

export const tapStream = <Part>(source: ReadableStream<Part>, watcher: StreamWatcher<Part>): ReadableStream<Part> => {
  const reader = source.getReader()
  return new ReadableStream<Part>(
    {
      async pull(controller) {
        // A rejected read errors the outer stream with the same reason.
        const { done, value } = await reader.read()
        if (done) {
          watcher.onEnd()
          controller.close()
          return
        }
        watcher.onPart(value)
        controller.enqueue(value)
      },
      async cancel(reason) {
        watcher.onEnd()
        await reader.cancel(reason)
      },
    },
    // Reads nothing ahead of the consumer.
    { highWaterMark: 0 },
  )
}
