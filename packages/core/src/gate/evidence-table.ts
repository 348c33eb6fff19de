/** What may become memory: the table of DESIGN section 5 as data. Rows are findings about a proposal, columns the host's trust level. */
import type { Origin } from '../shared/origin.ts'
import type { TRUST_LEVELS, Verdict } from './review-gate.ts'

export interface EvidenceRow extends Readonly<Record<(typeof TRUST_LEVELS)[number], Verdict['verdict']>> {
  /** The finding as a sentence for the journal. */
  readonly found: string
  /** It says what speaks against the proposal, also where that is approved. */
  readonly isObjection?: true
}

export const EVIDENCE_TABLE = {
  'user-said': { strict: 'approve', balanced: 'approve', open: 'approve', found: "It comes from the user's own words." },
  'own-change': { strict: 'approve', balanced: 'approve', open: 'approve', found: "The user's own words call for this change." },
  'lossy-change': {
    strict: 'hold',
    balanced: 'approve',
    open: 'approve',
    found: 'It drops names or numbers that the user did not speak about.',
    isObjection: true,
  },
  'agent-note': { strict: 'hold', balanced: 'approve', open: 'approve', found: "It comes from the agent's own work." },
  'outside-fact': {
    strict: 'hold',
    balanced: 'approve',
    open: 'approve',
    found: 'Its source is a tool result or a document, and it is a plain fact.',
  },
  'outside-cleanup': {
    strict: 'hold',
    balanced: 'approve',
    open: 'approve',
    found: 'Text from outside was in sight, and it removes an entry that is itself from outside.',
  },
  'outside-rule': {
    strict: 'reject',
    balanced: 'hold',
    open: 'approve',
    found: 'Its source is a tool result or a document, and it holds a rule, a request, a command, an address or a credential.',
    isObjection: true,
  },
  'outside-profile': {
    strict: 'reject',
    balanced: 'hold',
    open: 'approve',
    found: 'Text from outside was in sight, and it is about the user, whose own words do not support it.',
    isObjection: true,
  },
  'outside-change': {
    strict: 'reject',
    balanced: 'hold',
    open: 'approve',
    found: 'Text from outside was in sight, and it changes or removes an entry that is not from outside.',
    isObjection: true,
  },
  'unsaid-field': {
    strict: 'hold',
    balanced: 'hold',
    open: 'approve',
    found: "It is a field of the user's profile, and the user's own words do not give this value.",
    isObjection: true,
  },
  'not-compared': {
    strict: 'reject',
    balanced: 'hold',
    open: 'approve',
    found: 'It or the conversation is too long for the gate to compare them, so it is not known whose words they are.',
    isObjection: true,
  },
  'no-evidence': {
    strict: 'reject',
    balanced: 'hold',
    open: 'approve',
    found: 'Nothing in the conversation supports it.',
    isObjection: true,
  },
  // For skills only.
  'asked-change': { strict: 'approve', balanced: 'approve', open: 'approve', found: 'The user asked for this change.' },
  merge: { strict: 'approve', balanced: 'approve', open: 'approve', found: 'It keeps every fact that was there before.' },
  'other-change': {
    strict: 'hold',
    balanced: 'hold',
    open: 'approve',
    found: 'It changes or removes what is there, and the user did not ask for that.',
    isObjection: true,
  },
  'notes-unread': {
    strict: 'hold',
    balanced: 'hold',
    open: 'approve',
    found: 'Memory could not be read, so it may come from a remembered tool result or document.',
    isObjection: true,
  },
} as const satisfies Readonly<Record<string, EvidenceRow>>

export type EvidenceRowName = keyof typeof EVIDENCE_TABLE

/** The finding about one proposal. */
export interface Finding {
  readonly row: EvidenceRowName
  readonly origin: Origin
  /** The messages that support the finding, named in the reason. */
  readonly messageIds: readonly string[]
}
