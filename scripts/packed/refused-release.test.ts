/** `pnpm release` uploads nothing while something is wrong. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { PLACEHOLDER, readManifest } from '../release/manifests.ts'
import { PUBLISHED } from '../support/published.ts'
import { openEmptyRegistry } from './empty-registry.ts'

const ROOT = join(import.meta.dirname, '../..')

it('`pnpm release` says everything that is wrong with this copy and uploads nothing', async () => {
  const registry = await openEmptyRegistry()
  const args = [join(ROOT, 'scripts/release/main.ts'), '--registry', registry.url]
  const failure: { code?: number; stderr?: string } = await promisify(execFile)(process.execPath, args).then(() => ({}), Object)
  registry.close()
  expect(failure.code).toBe(1)
  expect(failure.stderr).toContain('Nothing is published:')
  const isOwned = !readManifest(ROOT).repository.url.includes(`/${PLACEHOLDER}/`)
  for (const name of isOwned ? [] : PUBLISHED) expect(failure.stderr).toContain(`@hermes/${name} still names '${PLACEHOLDER}'`)
  expect(new Set(registry.asked)).toEqual(new Set(['GET']))
})
