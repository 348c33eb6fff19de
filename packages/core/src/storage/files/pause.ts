/** Waits that hold no thread. */

/** 0 to 1: the fraction of the present millisecond, so that processes do not wait in step. */
export const jitter = (): number => performance.now() % 1

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
