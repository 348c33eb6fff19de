/** Work that the person may stop: one piece at a time. */
export interface StoppableWork {
  run<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>
  /** False where nothing is under way. */
  stop(): boolean
}

export const stoppableWork = (): StoppableWork => {
  let busy: AbortController | undefined
  return {
    async run(work) {
      const controller = new AbortController()
      busy = controller
      try {
        return await work(controller.signal)
      } finally {
        busy = undefined
      }
    },
    stop() {
      busy?.abort(new DOMException('Stopped by the person.', 'AbortError'))
      return busy !== undefined
    },
  }
}
