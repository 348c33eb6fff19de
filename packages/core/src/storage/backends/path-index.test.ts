import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isBelow } from '../document-tree.ts'
import { createPathIndex } from './path-index.ts'

const sorted = (paths: readonly string[]): readonly string[] => [...paths].sort()

const segment = fc.constantFrom('a', 'b', 'ab', 'c')
const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((segments) => segments.join('/'))

/** As in a tree of documents, where nothing is below a document. */
const fits = (known: ReadonlySet<string>, added: string): boolean =>
  ![...known].some((other) => isBelow(other, added) || isBelow(added, other))

describe('the index of paths', () => {
  it('finds what is below a folder and nothing beside it', () => {
    const index = createPathIndex(['foo/a', 'foo/deep/b', 'foobar/c', 'd'])
    expect(sorted(index.below('foo'))).toEqual(['foo/a', 'foo/deep/b'])
    expect(sorted(index.below(''))).toEqual(['d', 'foo/a', 'foo/deep/b', 'foobar/c'])
    expect(index.below('d')).toEqual([])
    expect([index.isFolder('foo'), index.isFolder('foo/deep'), index.isFolder('d'), index.isFolder('fo')]).toEqual([
      true,
      true,
      false,
      false,
    ])
  })

  it('forgets a folder with its last document', () => {
    const index = createPathIndex(['a/b/c', 'a/d'])
    index.remove('a/b/c')
    expect([index.isFolder('a/b'), index.isFolder('a'), index.size()]).toEqual([false, true, 1])
    index.remove('a/d')
    index.remove('a/d')
    expect([index.isFolder('a'), index.below(''), index.size()]).toEqual([false, [], 0])
  })

  it('agrees with a scan of all paths after any additions and removals', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ path, removes: fc.boolean() }), { maxLength: 40 }), path, (steps, folder) => {
        const index = createPathIndex([])
        const known = new Set<string>()
        for (const step of steps) {
          if (step.removes) {
            index.remove(step.path)
            known.delete(step.path)
          } else if (fits(known, step.path)) {
            index.add(step.path)
            known.add(step.path)
          }
        }
        const expected = [...known].filter((each) => isBelow(each, folder))
        expect(sorted(index.below(folder))).toEqual(sorted(expected))
        expect(index.isFolder(folder)).toBe(expected.length > 0)
        expect(sorted(index.below(''))).toEqual(sorted([...known]))
      }),
      { seed: 7 },
    )
  })
})
