/**
 * Durable writes beside the bare system calls that they need.
 * - `update`: an update of three documents, from one process and from eight.
 * - `memory`: a change of the memory.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Part, Report } from './report.ts'
import { measureMemory } from './storage/memory.ts'
import { measureUpdate } from './storage/update.ts'

const inFolder =
  (measure: (folder: string) => Promise<Report>): Part =>
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hermes-bench-'))
    try {
      return await measure(folder)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }

export const parts = { update: inFolder(measureUpdate), memory: inFolder(measureMemory) }
