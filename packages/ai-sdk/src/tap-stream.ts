/**
 * Watches a stream of parts go by: neither buffers nor reorders, passes errors and cancellation on unchanged. A reader of its own tells complete, aborted
 * and failed apart, which a transform stream cannot (reference ecosystem 1.4).
 */

export interface StreamWatcher<Part> {
  /** Contract: never throws. */
  onPart(part: Part): void
  /** The stream came to its regular end, or the consumer stopped reading; not called after a failure. */
  onEnd(): void
}

export const tapStream = <Part>(source: ReadableStream<Part>, watcher: StreamWatcher<Part>): ReadableStream<Part> => {
  const reader = source.getReader()
  return new ReadableStream<Part>(
    {
      async pull(controller) {
        // A rejected read errors the outer stream with the very same reason.
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
    // Nothing is read ahead of the consumer.
    { highWaterMark: 0 },
  )
}
