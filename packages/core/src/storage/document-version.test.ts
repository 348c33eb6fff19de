import { expect, it } from 'vitest'
import { documentVersion } from './document-version.ts'

it('tells documents apart by their bytes and by whether they are programs, and by nothing else', () => {
  const contents = [
    { bytes: new Uint8Array() },
    { bytes: new Uint8Array([0]) },
    { bytes: new Uint8Array([0xff, 0xfe]) },
    { bytes: new Uint8Array([0xfe, 0xff]) },
    { bytes: new Uint8Array([0]), executable: true },
  ]
  expect(new Set(contents.map(documentVersion)).size).toBe(contents.length)
  expect(documentVersion({ bytes: new Uint8Array([0]), executable: false })).toBe(documentVersion({ bytes: Buffer.from([0]) }))
})
