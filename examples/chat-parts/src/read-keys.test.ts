import { expect, it } from 'vitest'
import { createKeyReader, fromEditorLine, toEditorLine } from './read-keys.ts'

const PASTE = 'a\u001b[200~one\r\ntwo\rthree\n\u001b[201~b\r'
const PARTS = [
  { kind: 'keys', text: 'a' },
  { kind: 'text', text: 'one\ntwo\nthree' },
  { kind: 'keys', text: 'b\r' },
]

it('tells a paste from keys, with its line breaks but the last', () => {
  expect(createKeyReader()(PASTE)).toEqual(PARTS)
})

it('finds a paste wherever its chunks end', () => {
  for (let at = 3; at < PASTE.length; at++) {
    const read = createKeyReader()
    const parts = [...read(PASTE.slice(0, at)), ...read(PASTE.slice(at))]
    const keys = parts.map(({ kind, text }) => (kind === 'text' ? `<${text}>` : text)).join('')
    expect(keys).toBe('a<one\ntwo\nthree>b\r')
  }
})

it('passes a single Esc on at once, and other sequences of keys whole', () => {
  const read = createKeyReader()
  expect(read('\u001b')).toEqual([{ kind: 'keys', text: '\u001b' }])
  expect(read('\u001b[A')).toEqual([{ kind: 'keys', text: '\u001b[A' }])
})

it('takes Alt-Enter for a line break', () => {
  expect(createKeyReader()('a\u001b\rb')).toEqual([
    { kind: 'keys', text: 'a' },
    { kind: 'text', text: '\n' },
    { kind: 'keys', text: 'b' },
  ])
})

it('shows line breaks and tabs in one line, and lets nothing pasted act as a key', () => {
  const text = 'if:\n\tpass'
  expect(toEditorLine(text)).toBe('if:␤␉pass')
  expect(fromEditorLine(toEditorLine(text))).toBe(text)
  expect(toEditorLine('a\u0003\u001b[2Jb')).toBe('a[2Jb')
})
