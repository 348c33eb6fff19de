import { describe, expect, it } from 'vitest'
import { cutOp } from './journal.ts'

const giant = 'x'.repeat(20_000)

describe('cutOp', () => {
  it.each([
    { action: 'add', content: giant },
    { action: 'remove', oldText: giant },
    { action: 'create', name: 'deploy', content: giant },
    { action: 'edit', name: 'deploy', content: giant },
    { action: 'patch', name: 'deploy', oldText: giant, newText: giant },
    { action: 'write_file', name: 'deploy', filePath: 'references/a.md', content: giant },
  ] as const)('cuts the giant text of $action, and says how long it was', (op) => {
    const text = JSON.stringify(cutOp(op))
    expect(text).toContain('[… cut: 20,000 characters in all]')
    expect(text).not.toContain('x'.repeat(16_001))
  })

  it.each([
    { action: 'remove_file', name: 'deploy', filePath: 'references/a.md' },
    { action: 'archive', name: 'deploy', absorbedInto: 'ship' },
    { action: 'patch', name: 'deploy', oldText: 'a', newText: 'b', filePath: undefined, replaceAll: true },
  ] as const)('leaves $action as it is', (op) => {
    expect(cutOp(op)).toEqual(op)
  })
})
