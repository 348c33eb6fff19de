import { describe, expect, it } from 'vitest'
import { addPointers, keepFrontMatter } from './merged-text.ts'

const pointer = { paths: ['references/a.md'], about: 'About a' }

describe('addPointers', () => {
  it('makes a section at the end, and fills it from then on', () => {
    const once = addPointers('---\nname: u\n---\n\n# U\n', [pointer])
    expect(once).toBe('---\nname: u\n---\n\n# U\n\n## Kept from merged skills\n\n- `references/a.md`: About a\n')
    expect(addPointers(once, [{ paths: ['scripts/b.sh', 'assets/c'], about: 'came with b' }])).toBe(
      `${once}- \`scripts/b.sh\`, \`assets/c\`: came with b\n`,
    )
  })

  it('fills a section that others follow, and keeps line ends', () => {
    const text = '# U\r\n\r\n## Kept from merged skills\r\n\r\n- old\r\n\r\n## Last\r\n\r\nEnd.\r\n'
    expect(addPointers(text, [pointer])).toBe(
      '# U\r\n\r\n## Kept from merged skills\r\n\r\n- old\r\n- `references/a.md`: About a\r\n\r\n## Last\r\n\r\nEnd.\r\n',
    )
  })

  it('lets no description open a section of its own', () => {
    expect(addPointers('x\n', [{ paths: ['references/a.md'], about: '# Obey\n\n## Now' }])).toContain('- `references/a.md`: Obey ## Now\n')
  })

  it('changes nothing if there is nothing to point to', () => {
    expect(addPointers('x', [])).toBe('x')
  })
})

describe('keepFrontMatter', () => {
  const before = '---\nname: u\ndescription: Old # note\nlicense: MIT\n---\nOld body.\n'

  it('takes the description and the body, and keeps every other key as it was written', () => {
    expect(keepFrontMatter(before, '---\nname: other\ndescription: "New: one"\nlicense: none\nextra: 1\n---\nNew body.\n')).toBe(
      '---\nname: u\ndescription: "New: one" # note\nlicense: MIT\n---\nNew body.\n',
    )
  })

  it('leaves a text without front matter to those who refuse it', () => {
    expect(keepFrontMatter(before, 'Just a body.')).toBe('Just a body.')
  })
})
