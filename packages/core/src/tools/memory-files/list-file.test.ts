import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changesBetween, readListFile, toListFile } from './list-file.ts'

/** As a store keeps it: lines without space at their ends, and no blank ones outside. */
const entry = fc
  .array(fc.constantFrom('a fact', '- a point', '# a title', '  deeper', 'b', '', '* x', '\ttab'), { minLength: 1, maxLength: 4 })
  .map((lines) => lines.join('\n').trim())
  .filter((text) => text !== '')

describe('a store as a file', () => {
  it('is read back as the entries that it shows', () => {
    fc.assert(
      fc.property(fc.array(entry), fc.array(entry), (own, outside) => {
        expect(readListFile(toListFile(own, outside))).toEqual([...own, ...outside])
      }),
    )
  })

  it.each<[string, readonly string[]]>([
    ['a fact\nanother', ['a fact', 'another']],
    ['# Notes\n\n- a fact\n* another\n', ['a fact', 'another']],
    ['- a fact\n  with more\n\n  and more', ['a fact\nwith more\n\nand more']],
    ['  - indented from the start', ['indented from the start']],
    ['- a\r\n- b', ['a', 'b']],
    ['\n\n', []],
  ])('%j holds %j', (text, entries) => {
    expect(readListFile(text)).toEqual(entries)
  })
})

describe('changes between two lists', () => {
  it('make one the other, if they differ in one place', () => {
    const distinct = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,8}$/), { maxLength: 6 })
    fc.assert(
      fc.property(distinct, distinct, fc.nat(6), fc.nat(6), (before, added, from, to) => {
        const [start, end] = [Math.min(from, to), Math.max(from, to)]
        const fresh = added.map((text) => `new ${text}`)
        const after = [...before.slice(0, start), ...fresh, ...before.slice(end)]
        const kept = [...before]
        for (const op of changesBetween(before, after)) {
          if (op.action === 'add') kept.push(op.content)
          else kept.splice(kept.indexOf(op.oldText), 1, ...(op.action === 'replace' ? [op.content] : []))
        }
        expect(kept.sort()).toEqual(after.sort())
      }),
    )
  })

  it('are none for the same list, and replace what stands in the same place', () => {
    expect(changesBetween(['a', 'b'], ['a', 'b'])).toEqual([])
    expect(changesBetween(['a', 'b', 'c'], ['a', 'x', 'c'])).toEqual([{ action: 'replace', oldText: 'b', content: 'x' }])
    expect(changesBetween(['a', 'a'], ['a'])).toEqual([{ action: 'remove', oldText: 'a' }])
  })
})
