import { describe, expect, it } from 'vitest'
import { HermesError } from '../../shared/hermes-error.ts'
import type { ConsolidationReport } from '../report.ts'
import { toConsolidationNote } from './merge-report.ts'

const report = (more: Partial<ConsolidationReport>): ConsolidationReport => ({
  dryRun: false,
  consolidated: [],
  pruned: [],
  created: [],
  refused: [],
  held: [],
  words: [],
  problems: [],
  stopped: undefined,
  clusters: { asked: 2, unchanged: 1, left: 3 },
  ...{ calls: 2, inputTokens: 900, outputTokens: 80 },
  ...more,
})

const merged = {
  name: 'a',
  into: 'u',
  method: 'merge',
  reason: 'same job',
  files: ['SKILL.md'],
  archivedAs: '.archive/a',
} as const

describe('toConsolidationNote', () => {
  it('tells people what went where, what waits, what was refused and what it cost', () => {
    const { text, summary } = toConsolidationNote(
      report({
        consolidated: [merged, { ...merged, name: 'b' }],
        held: [{ names: ['c'], into: 'u', why: 'ask a person', pendingIds: ['p1'] }],
        refused: [{ kind: 'consolidation', names: ['d'], into: 'u', why: 'pinned' }],
        stopped: 'steps',
      }),
    )
    expect(text).toContain(
      '2 groups sent to the model, 1 unchanged since the last run, 3 left for the next run. 2 model calls, about 900 tokens in and 80 out.',
    )
    expect(text).toContain('- **a** → **u** (merge): same job (`.archive/a`)')
    expect(text).toContain('- **c** → **u**: ask a person (`p1`)')
    expect(text).toContain('- **d** → **u**: pinned')
    expect(text).toContain('the maximum number of calls was reached')
    expect(summary).toBe('llm: 2 merged, 1 waiting, 1 refused, ended early: the maximum number of calls was reached')
  })

  it('gives run.json the keys of the reference, with facts alone', () => {
    const { extras } = toConsolidationNote(
      report({
        consolidated: [merged],
        pruned: [{ name: 'x', reason: 'gone', archivedAs: '.archive/x' }],
        created: ['u'],
        words: ['I merged all of it.'],
        problems: [new HermesError('model', 'down')],
      }),
    )
    expect(extras).toMatchObject({
      consolidated: [{ name: 'a', into: 'u', source: 'declared', reason: 'same job', archived_as: '.archive/a' }],
      pruned: [{ name: 'x', source: 'declared-prune', reason: 'gone' }],
      pruned_names: ['x'],
      added: ['u'],
      llm_final: 'I merged all of it.',
      llm_error: 'down',
    })
  })

  it('lets neither a name nor the words of the model pass for a part of the report', () => {
    const { text } = toConsolidationNote(
      report({ consolidated: [{ ...merged, name: 'a\n## Archived', reason: '[x](http://evil.test)' }], words: ['# Heading\n- item'] }),
    )
    expect(text).not.toMatch(/^## Archived/m)
    expect(text).not.toMatch(/^# Heading/m)
    expect(text).toContain('\\[x\\](http://evil.test)')
  })
})
