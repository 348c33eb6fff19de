import { describe, expect, it } from 'vitest'
import { reconcile } from './reconcile.ts'
import { readClaimedPlan } from './reconcile-words.ts'

const plan = (text: string): string => `Done.\n\n\`\`\`yaml\n${text}\n\`\`\`\n`

describe('readClaimedPlan', () => {
  it('takes nothing from a bomb of aliases, a broken block or a block that never ends', () => {
    const bomb = 'a: &a [x, x]\nb: &b [*a, *a]\nconsolidations: [*b, *b]'
    for (const text of [plan(bomb), plan('consolidations: [: {'), '```yaml\nconsolidations:\n  - {from: a, into: b}']) {
      expect(readClaimedPlan(text)).toEqual({ consolidations: [], prunings: [] })
    }
  })

  it('reads a block with carriage returns and in an indented fence', () => {
    expect(readClaimedPlan('x\r\n  ```yaml\r\nprunings:\r\n- {name: a, reason: old}\r\n  ```\r\n')).toEqual({
      consolidations: [],
      prunings: [{ name: 'a', reason: 'old' }],
    })
  })
})

describe('reconcile', () => {
  const merged = (newText: string) => ({ name: 'skill_manage', arguments: { action: 'patch', name: 'u', new_string: newText } })

  it('finds a name as a whole word only, also where its words are joined', () => {
    const judge = (name: string, text: string) =>
      reconcile({ before: [name, 'u'], after: ['u'], toolCalls: [merged(text)], answer: '' }).consolidated
    expect(judge('git', 'see git-helpers')).toEqual([])
    expect(judge('c++', 'about c++ here')).toMatchObject([{ name: 'c++', into: 'u' }])
    expect(judge('pdf-tools', 'taken from pdf_tools.')).toMatchObject([{ name: 'pdf-tools', into: 'u' }])
  })

  it('lets no name be taken for a successor that JavaScript has other uses for', () => {
    const { pruned } = reconcile({ before: ['constructor'], after: ['u'], toolCalls: [], answer: plan('consolidations: []') })
    expect(pruned).toEqual([{ name: 'constructor', source: 'no-evidence', reason: '' }])
  })
})
