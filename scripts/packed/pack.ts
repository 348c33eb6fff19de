/** Packs the published packages once for all tests of this folder, and serves them. */
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { packAll } from '../support/pack-all.ts'
import { diskFolder } from '../support/temporary-folders.ts'
import { serveTarballs } from './registry.ts'

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
  packAll(tarballs)
  const registry = await serveTarballs(tarballs)
  project.provide('packed', { scratch, registry: registry.url })
  return async () => {
    await registry.close()
    await rm(scratch, { recursive: true, force: true })
  }
}
