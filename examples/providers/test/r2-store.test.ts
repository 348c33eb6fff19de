/** Small homes in R2. */
import { packedBackend } from '@hermes/core/storage'
import { expect, it, onTestFinished } from 'vitest'
import { r2Store } from '../src/r2-store.ts'
import { openBucket } from './support/r2-bucket.ts'

it('keeps every append of 4 back ends at once, and writes nothing of another home', async () => {
  const { bucket, close } = await openBucket()
  onTestFinished(close)
  const open = (key: string) => packedBackend(r2Store(bucket), { key, timeoutMs: 60_000 })
  const write = async (name: string, key: string): Promise<void> => {
    const storage = open(key)
    for (let time = 0; time < 5; time++) {
      const bytes = new TextEncoder().encode(`${name}-${time}\n`)
      expect((await storage.update(['journal/day'], () => ({ append: { 'journal/day': bytes }, value: 0 }))).ok).toBe(true)
    }
  }
  await Promise.all([...Array.from({ length: 4 }, (_, index) => write(`ada${index}`, 'ada')), write('bob', 'bob')])
  const entriesOf = async (key: string): Promise<readonly string[]> => {
    const cut = await open(key).read(['journal/day'])
    if (!cut.ok) throw cut.error
    return new TextDecoder().decode(cut.value.document('journal/day')?.bytes).trimEnd().split('\n')
  }
  expect(new Set(await entriesOf('ada')).size).toBe(20)
  expect(await entriesOf('bob')).toHaveLength(5)
})
