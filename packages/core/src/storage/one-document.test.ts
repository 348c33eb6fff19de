import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { checkChangeResult, UNCHANGED } from './one-document.ts'

it('takes bytes, of a Buffer and of another realm too, undefined and UNCHANGED', () => {
  for (const bytes of [new Uint8Array([1]), Buffer.from('x'), runInNewContext('new Uint8Array(2)')]) {
    expect(checkChangeResult('a', bytes, undefined)).toEqual({ bytes, executable: false })
  }
  for (const answer of [undefined, UNCHANGED]) expect(checkChangeResult('a', answer, undefined)).toBe(answer)
})

it('keeps what the document was for bytes alone, and takes what a content says', () => {
  const bytes = new Uint8Array([1])
  expect(checkChangeResult('a', bytes, { bytes, executable: true })).toEqual({ bytes, executable: true })
  expect(checkChangeResult('a', { bytes }, { bytes, executable: true })).toEqual({ bytes, executable: false })
  expect(checkChangeResult('a', { bytes, executable: true }, undefined)).toEqual({ bytes, executable: true })
  expect(checkChangeResult('a', { bytes, executable: undefined }, undefined)).toEqual({ bytes, executable: false })
})

it.each<[string, () => unknown, RegExp]>([
  ['text', () => 'text', /change of 'a' returned a value of type string\..*TextEncoder/],
  ['null', () => null, /returned null\..*undefined to remove/],
  ['an array', () => [1], /returned an array\./],
  ['no bytes', () => ({ executable: true }), /returned a value of type object\./],
  ['a word for executable', () => ({ bytes: new Uint8Array(), executable: 'yes' }), /returned a value of type object\./],
  ['other numbers', () => new Uint16Array(2), /returned a value of type object\./],
  ['a promise', () => Promise.resolve(new Uint8Array()), /returned a promise\..*not a promise/],
  ['a promise that fails', () => Promise.reject(new Error('unheard')), /returned a promise\./],
])('refuses %s as a programmer’s error that says what to return', (_, change, words) => {
  expect(() => checkChangeResult('a', change(), undefined)).toThrow(TypeError)
  expect(() => checkChangeResult('a', change(), undefined)).toThrow(words)
})
