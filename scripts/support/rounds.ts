/**
 * How much the tests repeat. `pnpm test` is the short run; `pnpm test:long` sets HERMES_LONG=1, which also runs the files named `*.long.test.ts`.
 * This is the only file that reads the variable.
 */

export const IS_LONG_RUN = process.env['HERMES_LONG'] === '1'

/** A number of repetitions, of a property or a fault: all in the long run, a fifth in the short one. */
export const rounds = (all: number): number => (IS_LONG_RUN ? all : Math.ceil(all / 5))

/** For loops that let each call fail in turn: each in the long run, every third in the short one. */
export const FAULT_STEP = IS_LONG_RUN ? 1 : 3

/** Cases of one promise: all in the long run, the first of them in the short one. */
export const firstOf = <T>(all: readonly T[], count = 1): readonly T[] => (IS_LONG_RUN ? all : all.slice(0, count))

/** For `storageConformance`: the suite's own figures in the long run. */
export const STORAGE_ROUNDS = IS_LONG_RUN ? {} : { kills: 1, writers: 2, updates: 10 }

/** For `reviewQueueConformance`. */
export const QUEUE_ROUNDS = IS_LONG_RUN ? {} : { claimers: 2 }

/** The extent of a conformance suite for one more driver, entry point or major of what already passes the whole suite. */
export const SECOND_EXTENT = IS_LONG_RUN ? 'whole' : 'wiring'
