import { Writable } from 'node:stream'
import { expect, it } from 'vitest'
import { createProgress } from './progress.ts'
import { textWidth } from './text-width.ts'

const screen = (columns: number, env: Record<string, string> = {}) => {
  const written: string[] = []
  const stderr = new Writable({
    write: (chunk, _encoding, done) => {
      written.push(String(chunk))
      done()
    },
  })
  return { world: { env, stderr: Object.assign(stderr, { isTTY: true, columns }) }, written }
}

it('stays on one line of the screen, so that it can be taken away', () => {
  const { world, written } = screen(50)
  const progress = createProgress(world, false)
  progress.show('Asking Anthropic\u001b[31m claude-haiku-5-5 which skills belong together (12 calls) …')
  progress.end()
  const [line = '', last] = written.map((text) => text.replace('\r\u001b[K', ''))
  expect([line.startsWith('Asking Anthropic[31m claude'), textWidth(line), last]).toEqual([true, 49, ''])
})

it('is silent if the terminal cannot take a line away, and for programs', () => {
  const { world, written } = screen(80, { TERM: 'dumb' })
  createProgress(world, false).show('Looking …')
  createProgress({ ...world, env: {} }, true).show('Looking …')
  expect(written).toEqual([])
})
