/** Input of the pass over the user's own words: contains no text from outside, so no proposal can be based on it (DESIGN 5). Pure. */

import { locateEntry } from '../memory/memory-document.ts'
import { type ByTarget, byTarget, type EntryOrigin } from '../memory/memory-op.ts'
import { reviewProposalSchema } from '../proposal/review-proposal.ts'
import type { Transcript, TranscriptMessage } from '../proposal/transcript.ts'
import { isData } from '../shared/json-texts.ts'
import { ok } from '../shared/result.ts'
import { type ProposedProfile, withField } from './propose/proposed-field.ts'
import { drop, itemsOf, type ProposedItem, type ReviewProposer } from './propose/review-proposer.ts'

/** Placeholder for text from outside, the same for any amount of it. */
export const LEFT_OUT_TEXT = '(left out)'

/** Consecutive messages that are not own words become one placeholder; ids are assigned after that. */
export const ownTranscript = (transcript: Transcript): Transcript => {
  const placeholder = { role: 'tool', origin: 'tool', text: LEFT_OUT_TEXT } as const
  const own: Omit<TranscriptMessage, 'id'>[] = []
  for (const message of transcript) {
    // Results of tools are no own words, even if the host vouches for the tool.
    const isOwn = message.origin !== 'tool' && message.role !== 'tool'
    // A message without text must not split a placeholder in two.
    if (isOwn && message.text.trim() !== '') own.push(message)
    else if (!isOwn && own.at(-1) !== placeholder) own.push(placeholder)
  }
  return own.map((message, index) => ({ ...message, id: `m${index + 1}` }))
}

export const holdsOwnWords = (transcript: Transcript): boolean => transcript.some(({ origin }) => origin !== 'tool')

type Entries = ByTarget<readonly string[]>

/** Entries by the user, the host's code and the agent, and entries written by hand. */
export const ownEntries = (entries: Entries, origins: ByTarget<ReadonlyMap<string, EntryOrigin>>): Entries =>
  byTarget(entries, (target) => (entries[target] ?? []).filter((entry) => origins[target]?.get(entry) !== 'tool'))

const NOT_FOUND = 'No entry that this review was shown contains the old text.'
const AMBIGUOUS = 'Several of the entries that this review was shown contain the old text.'

const withWholeEntry = (item: ProposedItem, entries: Entries, profile: ProposedProfile | undefined): ProposedItem => {
  if (item.ok && profile && isData(item.value) && item.value['target'] === 'profile') return withField(item.value, profile)
  const parsed = item.ok ? reviewProposalSchema.safeParse(item.value) : undefined
  if (!parsed?.success || parsed.data.target === 'skill' || parsed.data.op.action === 'add') return item
  const { target, op } = parsed.data
  const shown = entries[target] ?? []
  const location = locateEntry(shown, op.oldText.trim())
  if (location.kind !== 'found') return drop(location.kind === 'none' ? NOT_FOUND : AMBIGUOUS, parsed.data)
  return ok({ ...parsed.data, op: { ...op, oldText: shown[location.index] ?? op.oldText } })
}

/** Restricts replaces and removes to entries that were shown, named in full: no other entry can match or make them ambiguous. A field of the profile is one entry. */
export const amongEntries =
  (proposer: ReviewProposer, entries: Entries, profile?: ProposedProfile): ReviewProposer =>
  async (summary) => {
    const proposed = await proposer(summary)
    const items = proposed.ok ? itemsOf(proposed.value) : undefined
    return items ? ok({ items: items.map((item) => withWholeEntry(item, entries, profile)) }) : proposed
  }
