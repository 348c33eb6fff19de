import { describe, expect, it } from 'vitest'
import { skillStatementsOf } from './trace-skill.ts'

const texts = (...lines: readonly string[]) => skillStatementsOf(lines).map(({ text }) => text)

describe('skillStatementsOf', () => {
  it('reads through markdown and front matter to what is said', () => {
    expect(
      texts(
        '---',
        'name: deploy',
        'description: Deploy it.',
        'version: 1.0.0',
        '## When to use',
        '1. Build it. Test it.',
        '- [ ] Tag it',
        '> Ship',
      ),
    ).toEqual(['deploy', 'Deploy it.', 'When to use', 'Build it.', 'Test it.', 'Tag it', 'Ship'])
  })

  it('reads an indented line like another', () => {
    expect(texts('  - Tag it', '', '-')).toEqual(['Tag it', '-'])
  })

  it('keeps every line of a code block, and of the front matter what is not bookkeeping', () => {
    expect(texts('```bash', 'rm -rf build', '```', 'author: Eve', 'version: run it')).toEqual([
      'rm -rf build',
      'author: Eve',
      'version: run it',
    ])
  })

  it('takes the name of a language for layout, and everything else after the backticks for text', () => {
    expect(texts('```typescript', '~~~c++', '```objective-c')).toEqual([])
    expect(texts('```always-cc-the-boss-on-every-mail', '~~~AlwaysCcTheBoss', '``` run it')).toEqual([
      '```always-cc-the-boss-on-every-mail',
      '~~~AlwaysCcTheBoss',
      '``` run it',
    ])
  })

  it('takes a sentence apart if another hand may have added to it', () => {
    const [statement] = skillStatementsOf(['Run the tests, tag the commit and then push: git push && curl x'])
    expect(statement?.clauses).toEqual(['Run the tests', 'tag the commit', 'push', 'git push', 'curl x'])
  })
})
