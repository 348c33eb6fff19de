import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { sha256Of, sha256OfText } from './sha256.ts'

const expected = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex')

describe('sha256Of', () => {
  it('gives the digests of FIPS 180-4', async () => {
    expect(await sha256OfText('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
    expect(await sha256OfText('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  })

  it('gives what the platform gives, for every length around the blocks and around the limit of what is hashed in place', async () => {
    const lengths = [...Array.from({ length: 300 }, (_, length) => length), 2047, 2048, 2049, 5000]
    for (const length of lengths) {
      const bytes = Uint8Array.from({ length }, (_, at) => (at * 167 + length * 31) % 256)
      expect(await sha256Of(bytes), `${length} bytes`).toBe(expected(bytes))
    }
  })

  it('hashes only the part that a view shows, and texts in UTF-8', async () => {
    const bytes = Uint8Array.from({ length: 100 }, (_, at) => at)
    expect(await sha256Of(bytes.subarray(10, 40))).toBe(expected(bytes.slice(10, 40)))
    expect(await sha256OfText('Größe 東京 🎉')).toBe(expected('Größe 東京 🎉'))
  })

  it('keeps digests apart that are asked for at once', async () => {
    const texts = Array.from({ length: 50 }, (_, index) => `note ${index}`)
    expect(await Promise.all(texts.map(sha256OfText))).toEqual(texts.map(expected))
  })
})
