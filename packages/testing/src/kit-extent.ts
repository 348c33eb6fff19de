/**
 * How much of a conformance suite runs: `whole` (the default); `wiring`, the few cases that can break where another driver, entry point or version leads to
 * code that has passed the whole suite.
 */
export type KitExtent = 'whole' | 'wiring'
