/** A day of the journal that both homes have: the union of their records, by id and in order of time. */
import { describe, expect, it } from 'vitest'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import { updateDocument } from '../../src/storage/one-document.ts'
import { textAt, unwrap, write } from '../support/skill-library.ts'
import { bytesOf, openHome, packFiles } from './homes.ts'

const DAY = 'journal/2026-03-01.jsonl'
const NOON = Date.UTC(2026, 2, 1, 12)

const line = (minute: number, id = `r${minute}`): string =>
  `${JSON.stringify({ id, at: NOON + minute * 60_000, actor: 'host', kind: 'applied', reason: 'r' })}\n`

const imported = async (current: string, other: string) => {
  const home = openHome()
  await write(home.storage, { [DAY]: current })
  const archive = await packFiles({ [DAY]: other })
  const report = unwrap(await home.hermes.import(archive))
  return { ...home, archive, report, text: await textAt(home.storage, DAY) }
}

describe('an import of a day that exists', () => {
  it('puts records where their time is, behind those of the same time', async () => {
    const { text, report } = await imported(
      line(1) + line(3) + line(3, 'b') + line(9),
      line(0) + line(3, 'c') + line(3) + line(4) + line(10),
    )
    expect(text).toBe(line(0) + line(1) + line(3) + line(3, 'b') + line(3, 'c') + line(4) + line(9) + line(10))
    expect(report.counts.journal).toMatchObject({ added: 4, alreadyThere: 1 })
  })

  it('changes nothing the second time, and adds nothing that another import added meanwhile', async () => {
    const { hermes, storage, archive } = await imported(line(1), line(2))
    const before = await bytesOf(storage)
    expect(unwrap(await hermes.import(archive))).toMatchObject({ changed: false })
    expect(await bytesOf(storage)).toEqual(before)
    const shared = inMemoryBackend()
    await write(shared, { [DAY]: line(1) })
    const both = [openHome(shared), openHome(shared)]
    await Promise.all(both.map((home) => home.hermes.import(archive)))
    expect(await textAt(shared, DAY)).toBe(line(1) + line(2))
  })

  it('leaves a document that is not UTF-8 as it is, and says so', async () => {
    const { hermes, storage } = openHome()
    const bytes = new Uint8Array([0xff, 0xfe, 0x0a])
    unwrap(await updateDocument(storage, DAY, () => bytes))
    const report = unwrap(await hermes.import(await packFiles({ [DAY]: line(1) })))
    expect(report.refused).toEqual([expect.objectContaining({ part: 'journal', name: DAY, code: 'unreadable' })])
    expect((await bytesOf(storage))[DAY]).toBeDefined()
    const cut = unwrap(await storage.read([DAY]))
    expect(cut.document(DAY)?.bytes).toEqual(bytes)
  })
})
