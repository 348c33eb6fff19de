import { describe, expect, it } from 'vitest'
import { carryFiles, freeFolder, freeReference, rewriteLinks } from './merged-text.ts'

describe('carryFiles', () => {
  it('keeps each support folder, and moves files outside of them into the assets', () => {
    expect(carryFiles(['references/a.md', 'scripts/deep/b.sh', 'LICENSE', 'lib/x.py'], 'foo')).toEqual([
      { from: 'references/a.md', to: 'references/foo/a.md' },
      { from: 'scripts/deep/b.sh', to: 'scripts/foo/deep/b.sh' },
      { from: 'LICENSE', to: 'assets/foo/LICENSE' },
      { from: 'lib/x.py', to: 'assets/foo/lib/x.py' },
    ])
  })
})

describe('names beside what is there', () => {
  it('take the next number, whatever the case of the letters', () => {
    expect(freeFolder('foo', [])).toBe('foo')
    expect(freeFolder('foo', ['references/Foo/a.md', 'scripts/foo-2/b.sh'])).toBe('foo-3')
    const taken = new Set(['references/foo.md', 'references/foo-2.md'])
    expect(freeReference('foo', (path) => taken.has(path))).toBe('references/foo-3.md')
  })
})

describe('rewriteLinks', () => {
  const moved = carryFiles(['references/api.md', 'references/api', 'scripts/run.sh'], 'foo')

  it('leads each path to where the file is now', () => {
    expect(rewriteLinks('See `references/api.md`, [run](./scripts/run.sh) or references/api.', moved)).toBe(
      'See `references/foo/api.md`, [run](scripts/foo/run.sh) or references/foo/api.',
    )
  })

  it('leaves longer paths, other folders and what is right already as they are', () => {
    for (const text of [
      'references/api.md5',
      'docs/references/api.md',
      '../scripts/run.sh',
      'references/foo/api.md',
      'scripts/run.sh.bak',
      'myscripts/run.sh',
    ]) {
      expect(rewriteLinks(text, moved)).toBe(text)
    }
  })

  it('does not guess which of two skills is meant', () => {
    expect(rewriteLinks('references/a.md', [...carryFiles(['references/a.md'], 'x'), ...carryFiles(['references/a.md'], 'y')])).toBe(
      'references/a.md',
    )
  })
})
