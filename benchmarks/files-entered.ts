/**
 * How many source files of core a reader meets on the way of one turn: those with a function that runs between `createHermes` and the end of a review that writes
 * one fact, in memory and on disk. Code that runs while its file is loaded does not count. Target: at most 70. `HERMES_BENCH_FILES=1` lists the files.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { Session as Inspector } from 'node:inspector/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createHermes, type Hermes, inMemoryBackend, type StorageBackend } from '../packages/core/src/index.ts'
import { fileSystemBackend } from '../packages/core/src/storage/files/index.ts'

const SOURCES = new URL('../packages/core/src/', import.meta.url).href
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

const show = (place: string, files: readonly string[]): void => {
  const folders = new Map<string, number>()
  for (const file of files) folders.set(folderOf(file), (folders.get(folderOf(file)) ?? 0) + 1)
  const counts = [...folders].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([folder, count]) => `${folder} ${count}`)
  console.log(`${place}: ${files.length} files\n  ${counts.join(' · ')}`)
  if (process.env['HERMES_BENCH_FILES']) for (const file of files) console.log(`  ${file}`)
}

export const run = async (): Promise<void> => {
  const home = mkdtempSync(join(tmpdir(), 'hermes-bench-files-entered-'))
  let opened = 0
  try {
    show('in memory', await findFilesEntered(inMemoryBackend))
    show('on disk', await findFilesEntered(() => fileSystemBackend(join(home, `home-${opened++}`))))
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await run()
