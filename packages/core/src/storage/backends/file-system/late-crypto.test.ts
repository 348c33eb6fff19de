import { createHash } from 'node:crypto'
import { expect, it, vi } from 'vitest'
import { lateCrypto } from './late-crypto.ts'

/** A copy of the module that has loaded nothing yet. */
const fresh = async (): Promise<typeof lateCrypto> => {
  const file = `./late-crypto.ts?${crypto.randomUUID()}`
  return (await import(/* @vite-ignore */ file)).lateCrypto
}

it('is the same for every caller', () => {
  expect(lateCrypto()).toBe(lateCrypto())
})

it('is found with and without the quick way of newer versions of Node', async () => {
  const { getBuiltinModule } = process
  const quick = await fresh()
  const [slow, asked] = [await fresh(), vi.fn(getBuiltinModule)]
  const expected = createHash('sha256').update('x').digest('hex')
  try {
    process.getBuiltinModule = asked
    expect(quick().createHash('sha256').update('x').digest('hex')).toBe(expected)
    expect(asked.mock.calls).toEqual([['node:crypto']])
    Reflect.deleteProperty(process, 'getBuiltinModule')
    expect(slow().createHash('sha256').update('x').digest('hex')).toBe(expected)
  } finally {
    process.getBuiltinModule = getBuiltinModule
  }
})
