import { defineConfig } from 'vitest/config'
import { PATIENCE } from '../../scripts/support/patience.ts'

/** Each file in a process of its own: these tests replace modules of Node or of the sources, so they need a fresh copy of all that imports them. */
export default defineConfig({
  test: { name: 'core isolated', include: ['test/**/*.isolated.test.ts'], ...PATIENCE },
})
