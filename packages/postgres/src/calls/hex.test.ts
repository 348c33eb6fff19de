import { expect, it } from 'vitest'
import { fromHex, toHex } from './hex.ts'

const every = Uint8Array.from({ length: 256 }, (_, byte) => byte)

it('writes every byte as PostgreSQL does, and reads it in either case', () => {
  const hex = Buffer.from(every).toString('hex')
  expect(toHex(every)).toBe(hex)
  expect(fromHex(hex)).toEqual(every)
  expect(fromHex(hex.toUpperCase())).toEqual(every)
  expect(fromHex('')).toEqual(new Uint8Array())
})
