/** A setup file of every project: records how much processor time a test file takes, with its imports, and how slow the machine is meanwhile. */
import { afterAll } from 'vitest'
import { processorSeconds } from './processor-time.ts'
import { referenceSeconds } from './reference-work.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** Seconds of processor time of a test file, with the processes that ended meanwhile. */
    processorSeconds?: number
    /** Seconds of a fixed piece of work. */
    referenceSeconds?: number
  }
}

const before = processorSeconds()

// biome-ignore lint/correctness/noEmptyPattern: Vitest reads which fixtures a hook wants from this pattern.
afterAll(({}, file) => {
  file.meta.processorSeconds = processorSeconds() - before
  file.meta.referenceSeconds = referenceSeconds()
})
