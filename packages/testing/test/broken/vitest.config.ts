import { defineConfig } from 'vitest/config'

/** For ../provider-conformance.test.ts, which runs these and expects failures. */
export default defineConfig({ test: { root: import.meta.dirname, include: ['broken-providers.ts'] } })
