/**
 * Watches a stream of parts without buffering or reordering; passes errors and cancellation on unchanged. Uses its own reader, since a
 * transform stream cannot tell a completed stream from an aborted or failed one.
 */

export interface StreamWatcher<Part> {
  /** Returns the part that the consumer receives. Contract: never throws. */
  onPart(part: Part): Part
  /** The stream ended regularly, or the consumer stopped reading. */
  onEnd(): void
  /** The stream failed or was aborted. */
  onFailure(): void
}

export const tapStream = <Part>(source: ReadableStream<Part>, watcher: StreamWatcher<Part>): ReadableStream<Part> => {
  const reader = source.getReader()
  return new ReadableStream<Part>(
    {
      async pull(controller) {
        const { done, value } = await reader.read().catch((reason: unknown) => {
          watcher.onFailure()
          // Errors the outer stream with the same reason.
          throw reason
        })
        if (done) {
          watcher.onEnd()
          controller.close()
          return
        }
        controller.enqueue(watcher.onPart(value))
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
