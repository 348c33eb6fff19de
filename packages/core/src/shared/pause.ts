/** Lets everything else that waits have its turn, so that long work in pieces never holds the process. */
export const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0))
