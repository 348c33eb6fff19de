/** Work in steps, written once as a generator: between two steps other work can run, or all of them run at once. */
import { pause } from './pause.ts'

export type Steps<T> = Generator<void, T>

export const runAtOnce = <T>(steps: Steps<T>): T => {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

export const runWithPauses = async <T>(steps: Steps<T>): Promise<T> => {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    await pause()
  }
}
