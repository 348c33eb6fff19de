/** What is being written while a person erases does not come back, and nothing else is lost. */
import { readdirSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { createHermes } from '@hermes/core'
import { fileSystemBackend } from '@hermes/core/file-system'
import { describe, expect, it } from 'vitest'
import { recallProvider } from '../src/recall-provider.ts'
import { sqliteRecallIndex } from '../src/sqlite/sqlite-recall-index.ts'
import { find, manyTurns, openIndex, turn } from './support/open-index.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

const holding = (folder: string, text: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name))
    .filter((file) => readFileSync(file).includes(text))

describe('forget', () => {
  it('reaches archived entries that the provider is just reading', async () => {
    const folder = temporaryFolder()
    const open = () =>
      createHermes({
        storage: fileSystemBackend(join(folder, 'home')),
        memory: { provider: recallProvider({ index: sqliteRecallIndex({ folder: join(folder, 'index') }) }) },
      })
    const first = open()
    const memory = first.memoryStore()
    await memory.load()
    expect((await memory.apply('memory', { action: 'add', content: 'The cat is called Zanzibar.' })).ok).toBe(true)
    expect((await memory.apply('memory', { action: 'remove', oldText: 'Zanzibar' })).ok).toBe(true)
    await first.close()
    expect(holding(folder, 'Zanzibar').join()).toContain('memories')
    const second = open()
    const receipt = await second.forget('Zanzibar')
    expect(receipt.ok && receipt.value.remaining).toEqual([])
    await second.close()
    expect(holding(folder, 'Zanzibar')).toEqual([])
  })
})

const asideIn = (folder: string): readonly string[] => readdirSync(folder).filter((name) => /^recall\.(?:damaged|salvaged)-/.test(name))

/** As a process leaves it that was killed when it had set a damaged file aside. */
const setAside = async (): Promise<string> => {
  const folder = temporaryFolder()
  const index = await openIndex(folder)
  await index.add(manyTurns(1_000))
  await index.close()
  renameSync(join(folder, 'recall.db'), join(folder, 'recall.damaged-1.db'))
  return folder
}

describe('a damaged index that is being copied', () => {
  it('does not bring back a text that is forgotten meanwhile', async () => {
    const folder = await setAside()
    const index = await openIndex(folder)
    await index.add([turn('after', 'said after the damage')])
    await index.forget({ kind: 'text', text: 'word990', matches: (stored) => /word990\b/.test(stored), dryRun: false })
    // All others, and the one that was said after the damage.
    await expect.poll(async () => (await index.stats()).turns).toBe(1_000)
    await expect.poll(() => asideIn(folder)).toEqual([])
    expect(await find(index, 'word990')).toEqual([])
    expect((await index.stats()).turns).toBe(1_000)
    await index.close()
    expect(holding(folder, 'of word990 and')).toEqual([])
  })

  it('does not bring back anything of a home that is erased meanwhile', async () => {
    const folder = await setAside()
    const index = await openIndex(folder)
    await index.add([turn('after', 'said after the damage')])
    await index.forget({ kind: 'all', dryRun: false })
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    await index.close()
    expect(holding(folder, 'spoke of word')).toEqual([])
  })
})
