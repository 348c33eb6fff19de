/** Packs the published packages once for all tests of this folder, and serves them. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'
import { PUBLISHED } from '../support/published.ts'
import { diskFolder } from '../support/temporary-folders.ts'
import { serveTarballs } from './registry.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

declare module 'vitest' {
  interface ProvidedContext {
    readonly packed: {
      /** A folder for this run, removed at its end; `tarballs/` contains the packages. */
      readonly scratch: string
      readonly registry: string
    }
  }
}

export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const scratch = await mkdtemp(join(diskFolder(), 'hermes-packed-'))
  const tarballs = join(scratch, 'tarballs')
  await mkdir(tarballs)
  const filters = PUBLISHED.flatMap((name) => ['--filter', `@hermes/${name}`])
  await promisify(execFile)('npx', ['-y', 'pnpm@12', ...filters, 'pack', '--pack-destination', tarballs], { cwd: ROOT })
  const registry = await serveTarballs(tarballs)
  project.provide('packed', { scratch, registry: registry.url })
  return async () => {
    await registry.close()
    await rm(scratch, { recursive: true, force: true })
  }
}
