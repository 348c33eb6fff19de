import { describe, expect, it } from 'vitest'
import { fencedBlocks } from './read-answer.ts'

describe('fencedBlocks', () => {
  it('gives each block its words, its body and its place', () => {
    const text = 'a\n```yaml\nx: 1\n```\nb\n~~~\ny\n~~~\n'
    expect(fencedBlocks(text)).toEqual([
      { info: 'yaml', body: 'x: 1', start: 2, isClosed: true },
      { info: '', body: 'y', start: text.indexOf('~~~'), isClosed: true },
    ])
  })

  it('ends a block only at a fence that can end it', () => {
    expect(fencedBlocks('````md\n```sh\nls\n```\n````\n')).toMatchObject([{ info: 'md', body: '```sh\nls\n```' }])
    expect(fencedBlocks('```yaml\nc: |\n      ```sh\n      ls\n      ```\n```\n')).toHaveLength(1)
    expect(fencedBlocks('```a\n~~~\n```\n')).toMatchObject([{ body: '~~~', isClosed: true }])
  })

  it('knows a block that broke off, and code within a line', () => {
    expect(fencedBlocks('```yaml\nhalf')).toEqual([{ info: 'yaml', body: 'half', start: 0, isClosed: false }])
    expect(fencedBlocks('```inline``` text')).toEqual([])
    expect(fencedBlocks('')).toEqual([])
  })

  it('reads Windows line ends', () => {
    expect(fencedBlocks('```yaml\r\na: 1\r\n```\r\n')).toMatchObject([{ info: 'yaml', body: 'a: 1\r', isClosed: true }])
  })
})
