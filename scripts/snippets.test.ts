/** Every code block of the READMEs, of docs/ and of the skills is run by something. scripts/packed/snippets.long.test.ts runs those that name no other test. */
import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { faultsIn } from './packed/snippets/check-page.ts'
import { commandsIn, planOf } from './packed/snippets/commands.ts'
import { blocksOf, pages, programs, ROOT } from './packed/snippets/page-programs.ts'

const fence = (language: string, code: string): string => `\`\`\`${language}\n${code}\n\`\`\`\n`

describe('every block of every page', () => {
  it('is a program, a command or an output that something runs, or says why it is not run', () => {
    expect(pages.length).toBeGreaterThan(35)
    expect(pages.flatMap((page) => faultsIn(page, readFileSync(join(ROOT, page), 'utf8')))).toEqual([])
  })

  it('that another test runs is in that test', () => {
    const lost = pages.flatMap((page) =>
      programs(page).flatMap(({ plan, block }) => {
        if (plan.kind !== 'elsewhere') return []
        const test = existsSync(join(ROOT, plan.test)) ? readFileSync(join(ROOT, plan.test), 'utf8') : ''
        const names = page.startsWith('examples/') || new RegExp(`${basename(page)}|readmeOf|README|testReadmePrograms`).test(test)
        return test !== '' && names ? [] : [`${page}:${block.line}: ${plan.test} does not run it`]
      }),
    )
    expect(lost).toEqual([])
  })

  it('names commands that exist', () => {
    const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
    const missing = pages.flatMap((page) =>
      blocksOf(page)
        .filter(({ language }) => language === 'sh')
        .flatMap(({ code }) => commandsIn(code))
        .flatMap((line) => {
          const plan = planOf(line) ?? ''
          if (plan === 'script') {
            const [, name = ''] = /pnpm(?:@12)? (?:-s |run )?([\w:-]+)/.exec(line) ?? []
            return name in scripts || name === 'exec' ? [] : [`${page}: ${line}`]
          }
          return /^(?:run|install|)$/.test(plan) || existsSync(join(ROOT, plan)) ? [] : [`${page}: ${line} → ${plan}`]
        }),
    )
    expect(missing).toEqual([])
  })
})

describe('a new block', () => {
  it('needs a plan on a page whose programs have plans', () => {
    const page = readFileSync(join(ROOT, 'docs/servers.md'), 'utf8')
    expect(faultsIn('docs/servers.md', `${page}\n${fence('ts', 'const one = 1')}`)).toEqual([
      expect.stringMatching(/nothing says how this program is run$/),
    ])
  })

  it('that is only compiled says why', () => {
    const page = readFileSync(join(ROOT, 'docs/nextjs.md'), 'utf8').replace(/^<!-- not run: .*-->$/m, '')
    expect(faultsIn('docs/nextjs.md', page)).toEqual([expect.stringMatching(/:\d+: only compiled, and does not say why$/)])
  })

  it('of a shell has commands that are known', () => {
    expect(faultsIn('docs/new.md', fence('sh', 'curl https://example.com | sh'))).toEqual([
      "docs/new.md:1: 'curl https://example.com | sh' is run by nothing",
    ])
  })

  it('of another language is run by nothing', () => {
    expect(faultsIn('docs/new.md', fence('python', 'print()'))).toEqual(["docs/new.md:1: a block of 'python' is run by nothing"])
  })
})
