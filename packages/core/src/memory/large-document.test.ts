import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeInSlices, SLICE_BYTES } from './large-document.ts'
import { decodeMemoryDocument } from './memory-document.ts'

const encoder = new TextEncoder()

const aPiece = fc.constantFrom('a', 'b', '§', '\n', '\r', '\r\n', '\n§\n', '\r\n§\r\n', ' ', '\u3000', 'é', '😀', '\uFEFF', '\n§')

describe('a memory file of any size', () => {
  it('is decoded in slices as at once, wherever a slice ends', async () => {
    const text = fc.array(aPiece, { maxLength: 30 }).map((pieces) => pieces.join(''))
    await fc.assert(
      fc.asyncProperty(text, text, fc.integer({ min: 0, max: 20 }), async (before, after, at) => {
        // The end of the first slice is somewhere in the second text.
        const filling = 'x'.repeat(SLICE_BYTES - encoder.encode(before).length - at)
        const bytes = encoder.encode(`${before}${filling}${after}${filling}`)
        expect(await decodeInSlices('memory', bytes)).toEqual(decodeMemoryDocument('memory', bytes))
        const rest = encoder.encode(`${before}${filling}${after}`)
        expect(await decodeInSlices('memory', rest)).toEqual(decodeMemoryDocument('memory', rest))
      }),
      { seed: 11, numRuns: 60 },
    )
  })

  it('is decoded in slices as at once if a slice ends inside a line end, a delimiter or a character', async () => {
    const tricky = encoder.encode('\r\n§\r\nx\r\r\n\r\n\u3000§\n§\n\n§\n😀é')
    const filling = encoder.encode('x'.repeat(SLICE_BYTES))
    for (let at = 0; at <= tricky.length; at++) {
      const bytes = new Uint8Array([...filling.subarray(at), ...tricky, ...filling])
      expect([at, await decodeInSlices('memory', bytes)]).toEqual([at, decodeMemoryDocument('memory', bytes)])
    }
  })

  it.each([
    ['nothing but white space', ' \n'.repeat(SLICE_BYTES)],
    ['nothing but delimiters', '§\n'.repeat(SLICE_BYTES)],
    ['one entry', `${'word '.repeat(SLICE_BYTES)}\n`],
  ])('is decoded in slices as at once: %s', async (_, text) => {
    const bytes = encoder.encode(text)
    expect(await decodeInSlices('memory', bytes)).toEqual(decodeMemoryDocument('memory', bytes))
  })

  it.each([0, SLICE_BYTES, 2 * SLICE_BYTES])('is unreadable if byte %i is not UTF-8', async (at) => {
    const bytes = encoder.encode('x'.repeat(2 * SLICE_BYTES + 1))
    bytes[at] = 0xff
    expect(await decodeInSlices('user', bytes)).toMatchObject({
      ok: false,
      error: { code: 'unreadable', details: { path: 'memories/USER.md' } },
    })
  })
})
