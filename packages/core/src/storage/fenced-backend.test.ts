import { describe, expect, it } from 'vitest'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok } from '../shared/result.ts'
import { fencedBackend, type MayWrite } from './fenced-backend.ts'
import { inMemoryBackend } from './in-memory.ts'
import { moveDocuments, readDocument, updateDocument } from './one-document.ts'
import type { StorageBackend } from './storage-backend.ts'

const bytes = new TextEncoder().encode('text')

describe('fencedBackend', () => {
  it('refuses changes once it may not write, and continues reading', async () => {
    const inner = inMemoryBackend()
    let mayWrite = true
    const lost = new HermesError('superseded', 'lost')
    const fenced = fencedBackend(
      inner,
      async () => (mayWrite ? ok({ until: 1 }) : err(lost)),
      () => 1,
    )
    expect(await updateDocument(fenced, 'a.md', () => bytes)).toMatchObject({ ok: true })
    expect(await moveDocuments(fenced, 'a.md', 'b.md')).toMatchObject({ ok: true })
    mayWrite = false
    let ran = false
    const refused = await updateDocument(fenced, 'b.md', () => {
      ran = true
      return undefined
    })
    expect([refused, ran]).toEqual([err(lost), false])
    expect(await moveDocuments(fenced, 'b.md', 'c.md')).toEqual(err(lost))
    expect(await readDocument(fenced, 'b.md')).toMatchObject({ ok: true, value: { bytes } })
    expect(await fenced.list('')).toMatchObject({ ok: true, value: [{ path: 'b.md' }] })
  })

  it('leaves the back end open', async () => {
    let isClosed = false
    const close = async () => {
      isClosed = true
    }
    const inner = { ...inMemoryBackend(), close }
    await fencedBackend(
      inner,
      async () => ok({ until: 1 }),
      () => 1,
    ).close()
    expect(isClosed).toBe(false)
  })

  it('answers once if the back end fails before the change is made', async () => {
    let asked = 0
    const mayWrite: MayWrite = async () => {
      asked++
      return ok({ until: 1 })
    }
    const fenced = fencedBackend(inMemoryBackend(), mayWrite, () => 1)
    expect(await fenced.update(['../a.md'], () => ({ value: 0 }))).toMatchObject({ ok: false, error: { code: 'invalid_path' } })
    expect(asked).toBe(1)
  })

  it('asks again if its process was stopped between the question and the change', async () => {
    const lost = new HermesError('superseded', 'lost')
    for (const isTaken of [true, false]) {
      let now = 1
      const inner = inMemoryBackend()
      // Time passes while the back end waits for its lock.
      const slow: StorageBackend = {
        ...inner,
        update: (paths, plan, options) => {
          now += 60
          return inner.update(paths, plan, options)
        },
      }
      let asked = 0
      const mayWrite: MayWrite = async () => (asked++ > 0 && isTaken ? err(lost) : ok({ until: asked === 1 ? 60 : now + 60 }))
      const updated = await updateDocument(
        fencedBackend(slow, mayWrite, () => now),
        'a.md',
        () => bytes,
      )
      expect(asked).toBe(2)
      expect(await readDocument(inner, 'a.md')).toMatchObject({ ok: true, value: isTaken ? undefined : { bytes } })
      if (isTaken) expect(updated).toEqual(err(lost))
    }
  })
})
