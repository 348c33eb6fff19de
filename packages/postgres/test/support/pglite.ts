import { PGlite } from '@electric-sql/pglite'

/** One database for the test files of a process, because starting one takes seconds of processor time. It ends with the process. */
export const pglite = new PGlite()
// Starting it is not part of any call's time.
await pglite.waitReady
