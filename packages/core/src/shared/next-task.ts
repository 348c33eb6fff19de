/** Lets whatever else waits have its turn: for long work behind the user's back. */
export const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0))
