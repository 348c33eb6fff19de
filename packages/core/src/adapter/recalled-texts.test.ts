import { describe, expect, it } from 'vitest'
import { fenceContext } from '../provider/context-fence.ts'
import { placeFences } from './recalled-texts.ts'

const FENCE = fenceContext('The user likes tea.')
const BREAKPOINT = { anthropic: { cacheControl: { type: 'ephemeral' } } }
const text = (words: string, providerOptions?: unknown) => ({ type: 'text', text: words, ...(providerOptions ? { providerOptions } : {}) })
const file = { type: 'file', mediaType: 'image/png', data: 'AA==' }

describe('placeFences', () => {
  it.each([
    ['the only text', [text('Hi')], [text(`Hi\n\n${FENCE}`)]],
    ['the last text, before a file', [text('Hi'), text('there'), file], [text('Hi'), text(`there\n\n${FENCE}`), file]],
    ['a file alone', [file], [file, text(FENCE)]],
    ['a text with a cache breakpoint', [text('Hi', BREAKPOINT), file], [text('Hi', BREAKPOINT), text(`\n\n${FENCE}`), file]],
    ['a plain string', 'Hi', `Hi\n\n${FENCE}`],
    ['a text whose cache breakpoint is not set', [{ ...text('Hi'), providerOptions: undefined }], [text(`Hi\n\n${FENCE}`)]],
    ['a text that has it', [text(`Hi\n\n${FENCE}`)], [text(`Hi\n\n${FENCE}`)]],
  ])('appends to %s', (_, content, expected) => {
    const prompt = [{ role: 'user', content, providerOptions: BREAKPOINT }]
    const before = JSON.stringify(prompt)
    expect(placeFences(prompt, new Map([[0, FENCE]]))).toEqual([{ role: 'user', content: expected, providerOptions: BREAKPOINT }])
    expect(JSON.stringify(prompt)).toBe(before)
  })

  it('finds its message among several of the user’s in a row', () => {
    const prompt = ['one', 'two', 'three'].map((words) => ({ role: 'user', content: [text(words)] }))
    const placed = placeFences([{ role: 'system', content: 'Be kind.' }, ...prompt], new Map([[1, FENCE]]))
    expect(placed[2]).toEqual({ role: 'user', content: [text(`two\n\n${FENCE}`)] })
    expect([placed[1], placed[3]]).toEqual([prompt[0], prompt[2]])
  })

  it('gives the same object if nothing was recalled', () => {
    const prompt = [{ role: 'user', content: [text('Hi')] }]
    expect(placeFences(prompt, new Map())).toBe(prompt)
  })
})
