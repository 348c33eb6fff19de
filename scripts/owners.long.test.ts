/**
 * One server, many owners: 1,200 random operations of 30 owners in four processes over one folder, through every entry point of both
 * adapters. No prompt, tool answer, journal, export or file of one owner contains text of another. Takes about half a minute of processor
 * time, on all processors.
 * `HERMES_OWNERS_SEED` sets another seed, `HERMES_OWNERS_OPERATIONS` another number of operations, a multiple of four.
 */
import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { marksIn, OWNERS, ownerName } from '../packages/ai-sdk/test/support/marks.ts'
import type { RunReport } from '../packages/ai-sdk/test/support/run-operations.ts'

const PACKAGES = join(import.meta.dirname, '../packages')
const PROCESSES = ['ai-sdk', 'langchain', 'ai-sdk', 'langchain']
const OPERATIONS = Number(process.env['HERMES_OWNERS_OPERATIONS'] ?? 1_200)
const SEED = Number(process.env['HERMES_OWNERS_SEED'] ?? 1)

const run = (root: string, adapter: string, seed: number): Promise<RunReport> =>
  new Promise((resolve, reject) => {
    const program = join(PACKAGES, adapter, 'test/support/owners-process.ts')
    const args = [program, root, String(seed), String(OPERATIONS / PROCESSES.length)]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, NODE_NO_WARNINGS: '1' } })
    let said = ''
    let complaint = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      complaint += text
    })
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0) resolve(JSON.parse(said.trim().split('\n').at(-1) ?? ''))
      else reject(new Error(`A process of ${adapter} ended with ${code}: ${complaint.slice(-2_000)}`))
    })
  })

const readText = async (file: string): Promise<string> => {
  const bytes = await readFile(file)
  return (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
}

/** Files that contain text of an owner whose home they are not in. The log of the storage is in no home, and holds the last writes of all. */
const misplaced = async (root: string): Promise<readonly string[]> => {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const found = await Promise.all(
    entries.map(async (entry) => {
      const path = join(entry.parentPath, entry.name).slice(root.length + 1)
      if (path === '.hermes/log') return []
      const shown = entry.isFile() ? `${path}\n${await readText(join(root, path))}` : path
      const [top, , owner = ''] = path.split('/')
      const own = top === 'homes' ? Number(/^user-(\d+)~40/.exec(owner)?.[1]) : undefined
      return marksIn(shown).some((mark) => mark !== own) ? [path] : []
    }),
  )
  return found.flat()
}

it('shows and keeps no word of one person as another’s', { timeout: 600_000 * Math.max(1, OPERATIONS / 1_200) }, async () => {
  const root = await mkdtemp(join(tmpdir(), 'hermes-owners-'))
  try {
    const reports = await Promise.all(PROCESSES.map((adapter, index) => run(root, adapter, SEED * 100 + index)))
    expect(reports.flatMap(({ leaks }) => leaks)).toEqual([])
    expect(await misplaced(root)).toEqual([])
    expect(reports.reduce((sum, { operations }) => sum + operations, 0)).toBe(OPERATIONS)
    // Checks that the run was not empty: prompts contained memory, reviews wrote, tools answered, homes were erased.
    for (const adapter of new Set(PROCESSES)) {
      const own = reports.filter((_, index) => PROCESSES[index] === adapter)
      const share = (count: (report: RunReport) => number) =>
        own.reduce((sum, report) => sum + count(report) / report.operations, 0) / own.length
      expect(share(({ prompts }) => prompts.withMemory)).toBeGreaterThan(0.08)
      expect(share(({ prompts }) => prompts.reviews)).toBeGreaterThan(0.1)
      expect(share(({ prompts }) => prompts.guests)).toBeGreaterThan(0.02)
      expect(share(({ toolAnswers }) => toolAnswers)).toBeGreaterThan(0.06)
      expect(share(({ erasures }) => erasures)).toBeGreaterThan(0.01)
    }
    // The owners that were erased last are missing, which may be any of them.
    const names = await readdir(join(root, 'owners/~none'))
    const possible = Array.from({ length: OWNERS }, (_, owner) => `${ownerName(owner).replace('@', '~40').replaceAll('.', '~2e')}.json`)
    expect(names.length).toBeGreaterThan(OWNERS / 2)
    expect(names.filter((name) => !possible.includes(name))).toEqual([])
  } finally {
    await rm(root, { recursive: true, force: true })
  }
})
