/**
 * A runner of Vitest that reads no test file if no PostgreSQL server could be started, and counts one skipped test for it. Tests of PGlite
 * need no server.
 */
import { inject, it, TestRunner } from 'vitest'
import { NO_SERVER } from './postgres-server.ts'

const NEEDS_SERVER = /\/test\/(?!pglite)[^/]+$/

// biome-ignore lint/style/noDefaultExport: what Vitest loads.
export default class SkipWithoutServer extends TestRunner {
  override importFile(filepath: string, source: 'collect' | 'setup'): unknown {
    if (source === 'setup' || inject('postgresUrl') !== NO_SERVER.url || !NEEDS_SERVER.test(filepath))
      return super.importFile(filepath, source)
    return it.skipIf(true)('needs a PostgreSQL server', () => undefined)
  }
}
