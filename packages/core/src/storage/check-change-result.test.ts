import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { checkChangeResult } from './check-change-result.ts'
import { UNCHANGED } from './storage-backend.ts'

it('takes bytes, of a Buffer and of another realm too, undefined and UNCHANGED', () => {
  for (const answer of [new Uint8Array([1]), Buffer.from('x'), runInNewContext('new Uint8Array(2)'), undefined, UNCHANGED]) {
    expect(checkChangeResult('a', answer)).toBe(answer)
  }
})

it.each<[string, () => unknown, RegExp]>([
  ['text', () => 'text', /change of 'a' returned a value of type string\..*TextEncoder/],
  ['null', () => null, /returned null\..*undefined to remove/],
  ['an array', () => [1], /returned an array\./],
  ['other numbers', () => new Uint16Array(2), /returned a value of type object\./],
  ['a promise', () => Promise.resolve(new Uint8Array()), /returned a promise\..*at once/],
  ['a promise that fails', () => Promise.reject(new Error('unheard')), /returned a promise\./],
])('refuses %s as a programmer’s error that says what to return', (_, change, words) => {
  expect(() => checkChangeResult('a', change())).toThrow(TypeError)
  expect(() => checkChangeResult('a', change())).toThrow(words)
})
