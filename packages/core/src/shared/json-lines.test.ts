import { expect, it } from 'vitest'
import { jsonLines } from './json-lines.ts'

it('are those of the document without blank ones, and what was appended behind a lost line end', () => {
  const line = JSON.stringify({ id: 'a', text: 'says {"id":"x"}\n' })
  expect([...jsonLines(`\n${line}${line}\n \r\n{"id":"torn${line}`, 'id')]).toEqual([
    { text: line, number: 2 },
    { text: line, number: 2 },
    { text: '{"id":"torn', number: 4 },
    { text: line, number: 4 },
  ])
  expect([...jsonLines('', 'id')]).toEqual([])
})
