import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { renderMemoryBlock } from '../memory/memory-block.ts'
import { redactBlock, redactRecord } from './record-redaction.ts'
import { newSessionRecord } from './session-record.ts'

const redaction = {
  matches: (text: string) => text.replace(/\s+/g, ' ').includes('zebra one'),
  cut: (text: string) => text.replaceAll(/zebra\s+one/g, '(erased)'),
}

const anEntry = fc.record({
  words: fc.array(fc.constantFrom('tea', 'one', 'zebra', '> quoted', '§', 'a\nb', 'x\n\ny'), { minLength: 1, maxLength: 4 }),
  isErased: fc.boolean(),
  isOutside: fc.boolean(),
})

const CATALOG = `${'═'.repeat(46)}\nSKILLS (instructions kept from earlier work)\n${'═'.repeat(46)}\nLoad it first.\n\nwithout category:\n- feed: Feeds.`

/** The usage of a store is that of the session's start. */
const withoutUsage = (block: string): string => block.replace(/ \[[^\]\n]*chars\]/g, '')

describe('redactBlock', () => {
  it('is what the block would be without the erased entries, to the letter', () => {
    fc.assert(
      fc.property(fc.array(anEntry, { maxLength: 5 }), fc.array(anEntry, { maxLength: 5 }), fc.boolean(), (memory, user, hasSkills) => {
        const render = (isKept: (entry: { readonly isErased: boolean }) => boolean) => {
          const store = (target: 'memory' | 'user', all: typeof memory) => {
            const entries = all
              .map((entry, at) => ({
                ...entry,
                text: `${at} ${entry.words.filter((word) => word !== 'zebra').join('. ')}${entry.isErased ? ' zebra\none' : ''}!`,
              }))
              .filter(isKept)
            const facts = entries.map(({ text, isOutside }) => ({ entry: text, origin: isOutside ? ('tool' as const) : ('user' as const) }))
            return renderMemoryBlock({ target, facts, charLimit: 10_000 }, 10_000)
          }
          const parts = [store('memory', memory), store('user', user), hasSkills ? CATALOG : undefined]
          return parts.filter((part) => part !== undefined).join('\n\n')
        }
        expect(
          withoutUsage(
            redactBlock(
              render(() => true),
              redaction,
            ),
          ),
        ).toBe(withoutUsage(render(({ isErased }) => !isErased)))
      }),
      { seed: 7 },
    )
  })

  it.each([
    ['a line feed', '\n'],
    ['a vertical tab', '\v'],
    ['a form feed', '\f'],
    ['a next line', '\u0085'],
    ['a line separator', '\u2028'],
    ['a paragraph separator', '\u2029'],
  ])('finds a text in quoted lines, after %s', (_what, end) => {
    const heading = `${'═'.repeat(46)}\nMEMORY\n${'═'.repeat(46)}\n`
    const inAnyLines = { ...redaction, matches: (text: string) => redaction.matches(text.replaceAll(end, ' ')) }
    for (const entry of [`> zebra${end}> one`, `He wrote:${end}> zebra${end}> one`])
      expect(redactBlock(`${heading}Likes tea.\n§\n${entry}`, inAnyLines)).toBe(`${heading}Likes tea.`)
  })

  const MEMORY = `${'═'.repeat(46)}\nMEMORY\n${'═'.repeat(46)}\n`

  it('finds a text that must begin a line, behind a quote mark too', () => {
    const atLineStart = { matches: (text: string) => /^zebra one/m.test(text), cut: (text: string) => text }
    expect(redactBlock(`${MEMORY}Likes tea.\n§\n> zebra one`, atLineStart)).toBe(`${MEMORY}Likes tea.`)
  })

  it('finds a text with a quote mark of its own', () => {
    const quoted = { matches: (text: string) => text.includes('\n> zebra one'), cut: (text: string) => text }
    expect(redactBlock(`${MEMORY}Likes tea.\n§\nHe wrote:\n> zebra one`, quoted)).toBe(`${MEMORY}Likes tea.`)
  })

  it('keeps a long entry of a store without entries from outside as it is', () => {
    const long = 'Likes tea with milk. '.repeat(40).trim()
    expect(redactBlock(`${MEMORY}${long}\n§\nzebra one`, redaction)).toBe(`${MEMORY}${long}`)
  })

  it('cuts a text that is in no entry, and gives up the block if that does not help', () => {
    const block = `${'═'.repeat(46)}\nMEMORY of zebra one\n${'═'.repeat(46)}\nLikes tea.`
    expect(redactBlock(block, redaction)).toBe(block.replace('zebra one', '(erased)'))
    expect(redactBlock(block, { ...redaction, cut: (text) => text })).toBe('')
  })

  it('drops the line of a skill from the catalogue', () => {
    expect(redactBlock(`${CATALOG}\n- zoo: Shows zebra one.`, redaction)).toBe(CATALOG)
  })

  it('cuts the text if no entry contains it', () => {
    expect(redactBlock('zebra\n§\none', redaction)).toBe('zebra\n§\none')
    expect(redactBlock('words of a host with zebra one in them', redaction)).toBe('')
  })
})

it('takes a whole turn and the name of a skill out of a record', () => {
  const turn = (text: string) => ({
    number: 1,
    messages: [
      { role: 'user' as const, text },
      { role: 'assistant' as const, text: 'Fine.' },
    ],
  })
  const record = { ...newSessionRecord('one', 'BLOCK', 1), unread: [turn('tea'), turn('my zebra one')], loadedSkills: ['zebra one', 'tea'] }
  expect(redactRecord(record, redaction)).toEqual({ ...record, unread: [turn('tea')], loadedSkills: ['tea'] })
})

describe('redactRecord', () => {
  const record = { ...newSessionRecord('a', 'zebra one\n§\ntea', 1), userTurns: 3 }
  it('notes the change of a text that was sent, and no other', () => {
    expect(redactRecord(record, { ...redaction, at: 7 })).toMatchObject({ block: 'tea', changed: { times: 1, at: 7, turns: 3 } })
    expect(redactRecord({ ...record, userTurns: 0 }, { ...redaction, at: 7 })).toEqual({ ...record, userTurns: 0, block: 'tea' })
    expect(redactRecord({ ...record, block: 'tea' }, { ...redaction, at: 7 })).toEqual({ ...record, block: 'tea' })
  })
})
