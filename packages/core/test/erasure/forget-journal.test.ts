/** Erasing a text from the days of the journal. */
import { describe, expect, it } from 'vitest'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import { textAt } from '../support/skill-library.ts'
import { openAt, put, START, unwrap } from './fill-home.ts'

const TEXT = 'Calle Mayor 5'

const line = (id: string, reason: string): string => JSON.stringify({ id, at: START, actor: 'host', kind: 'applied', reason })

const forgetIn = async (...days: readonly string[]) => {
  const storage = inMemoryBackend()
  for (const [index, text] of days.entries()) await put(storage, `journal/2026-02-0${index + 1}.jsonl`, text)
  const receipt = unwrap(await openAt(storage).forget(TEXT))
  const paths = unwrap(await storage.list('journal')).map(({ path }) => path)
  return { receipt, paths, firstDay: paths.includes('journal/2026-02-01.jsonl') && (await textAt(storage, 'journal/2026-02-01.jsonl')) }
}

describe('forget, in the journal', () => {
  it('removes whole records and leaves the others byte by byte', async () => {
    const kept = `${line('b', 'Something else.')}\n`
    const { receipt, firstDay } = await forgetIn(`${line('a', `Lives at ${TEXT}.`)}\n${kept}`)
    expect([firstDay, receipt.erased.journalRecords, receipt.remaining]).toEqual([kept, 1, []])
  })

  it('removes a day of which nothing is left', async () => {
    const { paths } = await forgetIn(`${line('a', TEXT)}\n`, `${line('b', 'Something else.')}\n`)
    expect(paths).not.toContain('journal/2026-02-01.jsonl')
    expect(paths).toContain('journal/2026-02-02.jsonl')
  })

  it('removes a torn line with the text, and keeps the record that was appended behind it', async () => {
    const torn = line('a', `Lives at ${TEXT}.`).slice(0, -2)
    const { firstDay } = await forgetIn(`${torn}${line('b', 'Something else.')}\n`)
    expect(firstDay).toBe(`${line('b', 'Something else.')}\n`)
  })

  it('removes a record with the text behind a torn line, and keeps the torn line', async () => {
    const torn = line('a', 'Something else.').slice(0, -4)
    const { firstDay } = await forgetIn(`${torn}${line('b', TEXT)}\n`)
    expect(firstDay).toBe(`${torn}\n`)
  })
})
