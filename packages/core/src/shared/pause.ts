/** Lets other work go on: after at least `ms` milliseconds, by default as soon as whatever already waits has had its turn. */
export const pause = (ms = 0): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
