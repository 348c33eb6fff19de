/** Intended differences of the memory store from the Python reference, and what must hold instead. */
import { expect } from 'vitest'
import { HermesError } from '../../src/shared/hermes-error.ts'
import {
  codePoints,
  contentsOf,
  expectReferenceApplied,
  expectRefusedUntouched,
  hasCosmeticDrift,
  pieces,
  type Step,
  withLineFeeds,
} from './memory-vectors.ts'

export interface Deviation {
  /** The reason for the difference. */
  readonly reason: string
  /** Checks what must hold instead. Returns true if it checked the step, false to compare the step with the reference. */
  readonly replaces: (step: Step) => boolean
}

/** All intended differences, by `quirk` of the vectors. A case with any other quirk is compared with the reference. */
export const DEVIATIONS: Readonly<Record<string, Deviation>> = {
  'delimiter-injection': {
    reason: 'One addition must never become two entries, nor an entry lose its last line to the next one: refused as invalid.',
    replaces: (step) => {
      const injects = contentsOf(step.op).some((content) => withLineFeeds(content).trim().includes('\n§\n'))
      const runsOn = step.op.action === 'add' && (step.entriesBefore.at(-1)?.endsWith('\n§') ?? false)
      if (!injects && !runsOn) return false
      expectReferenceApplied(step)
      expectRefusedUntouched(step, 'invalid')
      return true
    },
  },
  'crlf-content': {
    reason: 'Line ends become LF before they are stored, so the same text is the same entry.',
    replaces: (step) => {
      if (!contentsOf(step.op).some((content) => content.includes('\r'))) return false
      expectReferenceApplied(step)
      expect(step.result.ok).toBe(true)
      expect(step.after?.includes('\r')).toBe(false)
      for (const content of contentsOf(step.op))
        expect(pieces(step.after).filter((piece) => piece === withLineFeeds(content).trim())).toHaveLength(1)
      return true
    },
  },
  'duplicate-by-replace': {
    reason: 'Two copies of an entry only cost room: they collapse in the same write, not at the next one.',
    replaces: (step) => {
      if (!step.result.ok || step.op.action !== 'replace' || !step.entriesBefore.includes(step.op.content ?? '')) return false
      const { content = '' } = step.op
      const [replaced, ...more] = step.result.value.previous
      expect(more).toEqual([])
      const replacedOnce = step.entriesBefore.map((entry) => (entry === replaced ? content : entry))
      expectReferenceApplied(step)
      expect(pieces(step.after)).toEqual([...new Set(replacedOnce)])
      expect(step.result.value.entryCount).toBe(new Set(replacedOnce).size)
      return true
    },
  },
  'duplicate-add-skips-write': {
    reason: 'None: kept as in the reference. A duplicate is answered without a write.',
    replaces: () => false,
  },
  'overfull-shrink-refused': {
    reason: 'A store that another program overfilled may shrink step by step.',
    replaces: (step) => {
      if (step.reference.ok || step.reference.error !== 'over_limit') return false
      const [usedBefore, usedAfter] = [step.before, step.after].map((bytes) => codePoints(pieces(bytes).join('\n§\n')))
      expect(step.result.ok).toBe(true)
      expect(usedAfter).toBeLessThan(usedBefore ?? 0)
      return true
    },
  },
  'cosmetic-drift-refused': {
    reason: 'White space around entries is tidied after a backup instead of refusing for ever (DESIGN 3).',
    replaces: (step) => {
      if (step.reference.ok || step.reference.error !== 'drift') return false
      if (pieces(step.before).some((piece) => codePoints(piece) > step.limit)) return false
      expect(hasCosmeticDrift(step.before)).toBe(true)
      expect(step.result.ok || step.result.error.code !== 'drift').toBe(true)
      if (step.result.ok) {
        expect(step.result.value.backupPath).toMatch(/^memories\/(MEMORY|USER)\.md\.bak\.\d+(-\d+)?$/)
        expect(hasCosmeticDrift(step.after)).toBe(false)
      } else {
        expect(step.after).toEqual(step.before)
      }
      return true
    },
  },
  'zwj-emoji-refused': {
    reason: 'Joiners inside emoji and in scripts that need them hide nothing.',
    replaces: (step) => {
      if (step.reference.ok || step.reference.error !== 'blocked') return false
      expect(step.result.ok).toBe(true)
      for (const content of contentsOf(step.op)) expect(pieces(step.after)).toContain(content.trim())
      return true
    },
  },
  'blocked-prefix-unscanned': {
    reason: 'A text that only looks like our placeholder is scanned like any other; a clean one is shown as it is.',
    replaces: () => false,
  },
  'terminal-hides-cause': {
    reason: 'The answer is `capped` as in the reference, but the real cause stays visible beside it.',
    replaces: (step) => {
      if (step.reference.ok || step.reference.error !== 'capped') return false
      expectRefusedUntouched(step, 'capped')
      const cause = step.result.ok ? undefined : step.result.error.cause
      expect(HermesError.isInstance(cause) && cause.code).toMatch(/^(over_limit|not_found|ambiguous|would_empty|empty|invalid)$/)
      expect(!step.result.ok && HermesError.isInstance(cause) && step.result.error.message.includes(cause.message)).toBe(true)
      return true
    },
  },
}

/** Differences that also occur in cases without a quirk; each checks that it applies. */
export const EVERYWHERE = ['cosmetic-drift-refused', 'terminal-hides-cause'] as const
