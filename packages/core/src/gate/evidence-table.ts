/** What may become memory: the table of DESIGN section 5 as data. Rows say what is proposed, columns how much the host trusts. */

export const TRUST_LEVELS = ['strict', 'balanced', 'open'] as const

export type Disposition = 'write' | 'hold' | 'reject'

export interface EvidenceRow extends Readonly<Record<(typeof TRUST_LEVELS)[number], Disposition>> {
  /** What was found, as a sentence for the journal. */
  readonly found: string
}

export const EVIDENCE_TABLE = {
  'user-said': { strict: 'write', balanced: 'write', open: 'write', found: 'The user said it.' },
  'profile-not-said': { strict: 'hold', balanced: 'hold', open: 'write', found: 'It is about the user, but the user did not say it.' },
  'agent-note': { strict: 'hold', balanced: 'write', open: 'write', found: "It comes from the agent's own work." },
  'outside-fact': {
    strict: 'hold',
    balanced: 'write',
    open: 'write',
    found: 'Its source is a tool result or a document, and it is a plain fact.',
  },
  'outside-rule': {
    strict: 'reject',
    balanced: 'hold',
    open: 'write',
    found: 'Its source is a tool result or a document, and it holds a rule, a request, a command, an address or a credential.',
  },
  'asked-change': { strict: 'write', balanced: 'write', open: 'write', found: 'The user asked for this change.' },
  merge: { strict: 'write', balanced: 'write', open: 'write', found: 'It keeps every fact that was there before.' },
  'other-change': {
    strict: 'hold',
    balanced: 'hold',
    open: 'write',
    found: 'It changes or removes what is remembered, and the user did not ask for that.',
  },
  'notes-unread': {
    strict: 'hold',
    balanced: 'hold',
    open: 'write',
    found: 'Memory could not be read, so it may come from a remembered tool result or document.',
  },
  'not-compared': {
    strict: 'reject',
    balanced: 'hold',
    open: 'write',
    found: 'It or the conversation is too long for the gate to compare them, so it is not known whose words it is.',
  },
  'no-evidence': { strict: 'reject', balanced: 'hold', open: 'write', found: 'Nothing in the conversation carries it.' },
} as const satisfies Readonly<Record<string, EvidenceRow>>

export type EvidenceRowName = keyof typeof EVIDENCE_TABLE
