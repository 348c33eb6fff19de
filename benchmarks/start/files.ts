/**
 * How many source files of core a reader meets on the way of one turn: those with a function that runs between `createHermes` and the end of a review that writes
 * one fact, in memory and on disk. Code that runs while its file is loaded does not count. `--list`: also the files.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { Session as Inspector } from 'node:inspector/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createHermes, type Hermes, inMemoryBackend, type StorageBackend } from '../../packages/core/src/index.ts'
import { fileSystemBackend } from '../../packages/core/src/storage/files/index.ts'
import { type Part, table } from '../report.ts'

const SOURCES = new URL('../../packages/core/src/', import.meta.url).href
const FACT = 'The API is deployed with Kamal.'
const ANSWER = JSON.stringify({
  proposals: [{ target: 'memory', op: { action: 'add', content: FACT }, score: 0.9, evidence: [{ quote: FACT }] }],
})

const playTurn = async (storage: StorageBackend): Promise<Hermes> => {
  const hermes = createHermes({ storage, nudge: { memoryInterval: 1, skillInterval: 0 } })
  const session = hermes.session('chat')
  await session.systemBlock()
  const prompt = [{ role: 'user', text: FACT }] as const
  session.beginStep(prompt)
  session.endStep({
    prompt,
    reply: [{ role: 'assistant', text: 'Noted.' }],
    turnFinished: true,
    calledTools: false,
    model: async () => ANSWER,
  })
  await hermes.settled()
  return hermes
}

const checkFact = async (hermes: Hermes): Promise<void> => {
  const store = hermes.memoryStore()
  await store.load()
  if (!store.entries('memory').includes(FACT)) throw new Error('The review did not write the fact.')
  await hermes.close()
}

/** Paths below `packages/core/src`, sorted. `openHome` returns the storage of a new home. */
const findFilesEntered = async (openHome: () => StorageBackend): Promise<readonly string[]> => {
  const inspector = new Inspector()
  inspector.connect()
  try {
    // The first turn loads the code that is loaded late.
    await (await playTurn(openHome())).close()
    await inspector.post('Profiler.enable')
    await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    const hermes = await playTurn(openHome())
    const { result } = await inspector.post('Profiler.takePreciseCoverage')
    await checkFact(hermes)
    return result
      .filter(({ url }) => url.startsWith(SOURCES))
      .filter(({ functions }) => functions.some(({ ranges }) => ranges.some(({ count }) => count > 0)))
      .map(({ url }) => url.slice(SOURCES.length))
      .sort()
  } finally {
    inspector.disconnect()
  }
}

const folderOf = (path: string): string => (path.includes('/') ? path.slice(0, path.indexOf('/')) : '(top)')

export const measureFiles: Part = async (args) => {
  const { values } = parseArgs({ args: [...args], options: { list: { type: 'boolean', default: false } } })
  const home = mkdtempSync(join(tmpdir(), 'hermes-bench-files-'))
  let opened = 0
  try {
    const memory = await findFilesEntered(inMemoryBackend)
    const disk = await findFilesEntered(() => fileSystemBackend(join(home, `home-${opened++}`)))
    const count = (files: readonly string[], folder: string) => files.filter((file) => folderOf(file) === folder).length
    const folders = [...new Set(disk.map(folderOf))].sort((a, b) => count(disk, b) - count(disk, a) || (a < b ? -1 : 1))
    const rows = folders.map((folder) => [folder, count(memory, folder), count(disk, folder)])
    return {
      blocks: [
        table(['files entered in one turn', 'in memory', 'on disk'], [...rows, ['**all**', memory.length, disk.length]]),
        ...(values.list ? [disk.join('\n')] : []),
      ],
    }
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}
