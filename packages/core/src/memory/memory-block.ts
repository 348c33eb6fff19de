/**
 * What a model may read of a store. Renders it for the system prompt, in the format of the reference (hermes-memory 6); entries from outside have their own section
 * (DESIGN 5). Whatever the file holds, the block and the work for it are bounded.
 */

import { countCodePoints } from '../shared/code-points.ts'
import { blockHeading, quoteLines } from '../text/block-heading.ts'
import { holdsCredential } from '../threats/credentials/find-credentials.ts'
import { createMemoryScan, type MemoryScan } from '../threats/scan.ts'
import { ENTRIES_SCAN_MAX_CHARS } from '../threats/scan-limits.ts'
import { countUsedChars, formatCount, formatUsage, joinEntries, memoryFileName } from './memory-document.ts'
import { ENTRY_DELIMITER } from './memory-limits.ts'
import type { EntryFacts, MemoryTarget } from './memory-op.ts'
import { OUTSIDE_HEADING } from './outside-heading.ts'

/** Listed with the ids of the threat scan for an entry that holds a credential. */
export const CREDENTIAL_FINDING = 'credential'

/** The placeholder for an entry with findings: names the file and the ids, never the text. */
const renderBlockedEntry = (file: string, findings: readonly string[]): string =>
  `[BLOCKED: ${file} entry: ${[...findings].sort().join(', ')}. Its text is kept out of sight; it is still on disk and can be removed.]`

/**
 * The entries in the same order, with placeholders for those with findings; phrases spread over neighbouring entries count. `scan`: the
 * scan of the store.
 */
export const sanitiseEntries = (
  target: MemoryTarget,
  entries: readonly string[],
  scan: MemoryScan = createMemoryScan(),
  file: string = memoryFileName(target),
): readonly string[] => {
  const findings = scan.all(entries)
  return entries.map((entry, index) => {
    const found = findings[index] ?? []
    // Entries with findings are not searched again: there may be many.
    const ids = found.length === 0 && holdsCredential(entry) ? [CREDENTIAL_FINDING] : found
    return ids.length > 0 ? renderBlockedEntry(file, ids) : entry
  })
}

const TITLES: Readonly<Record<MemoryTarget, string>> = {
  memory: 'MEMORY (your personal notes)',
  user: 'USER PROFILE (who the user is)',
  project: 'PROJECT (your notes on this project)',
  profile: 'PROFILE (fixed fields about the user)',
}

type BlockEntry = Pick<EntryFacts, 'entry' | 'origin' | 'pinned'> & Partial<Pick<EntryFacts, 'lastConfirmedAt'>>

export interface StoreToShow {
  readonly target: MemoryTarget
  /** In file order. */
  readonly facts: readonly BlockEntry[]
  /** Maximum code points of the store; an overfull one has more. */
  readonly charLimit: number
  readonly scan?: MemoryScan | undefined
  /** Instead of those of the store. */
  readonly names?: { readonly title: string; readonly file: string }
}

/** Code points of an entry and a delimiter; an entry that cannot fit is not counted. */
const sizeOf = (entry: string, room: number): number =>
  entry.length > 2 * room ? Number.POSITIVE_INFINITY : countCodePoints(entry) + ENTRY_DELIMITER.length

const isOverfull = ({ facts, charLimit }: StoreToShow): boolean => {
  let room = charLimit + ENTRY_DELIMITER.length
  return facts.some(({ entry }) => {
    room -= sizeOf(entry, Math.max(0, room))
    return room < 0
  })
}

/** When an entry was last confirmed; a person's own hand counts most. */
const confirmedAt = ({ origin, lastConfirmedAt = 0 }: BlockEntry): number =>
  origin === 'external' ? Number.POSITIVE_INFINITY : lastConfirmedAt

/** Most valuable first: those that were confirmed last. Undefined for a file that somebody overfilled, of which the newest are the last in it. */
const byConfirmation = (store: StoreToShow): readonly number[] | undefined => {
  if (isOverfull(store)) return undefined
  const at = store.facts.map(confirmedAt)
  return [...at.keys()].sort((a, b) => (at[a] === at[b] ? b - a : Number(at[b]) - Number(at[a])))
}

/** The entries to show, most valuable first, as many as fit: pinned ones, then the others. An entry that would not fit even alone hides no other. */
const chooseEntries = (store: StoreToShow, maxChars: number): readonly number[] => {
  const { facts } = store
  const order = byConfirmation(store)
  const chosen: number[] = []
  const most = maxChars + ENTRY_DELIMITER.length
  let room = most
  /** False if there is no room for it. */
  const take = (index: number): boolean => {
    const size = sizeOf((facts[index] as BlockEntry).entry, most)
    if (size > most) return true
    room -= size
    if (room >= 0) chosen.push(index)
    return room >= 0
  }
  for (const isPinned of [true, false]) {
    for (let step = facts.length - 1; step >= 0; step--) {
      const index = order ? Number(order[facts.length - 1 - step]) : step
      const { pinned = false } = facts[index] as BlockEntry
      if (pinned === isPinned && !take(index)) return chosen
    }
  }
  return chosen
}

interface ShownEntry {
  /** The entry, or a placeholder. */
  readonly text: string
  readonly isOutside: boolean
}

/** Entries from outside come last. They are scanned in this order, since neighbours could form a phrase. */
const toShown = ({ target, facts, scan, names }: StoreToShow, indices: readonly number[]): readonly ShownEntry[] => {
  const inFile = [...indices].sort((a, b) => a - b).flatMap((index) => facts[index] ?? [])
  const isOutside = ({ origin }: BlockEntry): boolean => origin === 'tool'
  const ordered = [...inFile.filter((fact) => !isOutside(fact)), ...inFile.filter(isOutside)]
  const texts = sanitiseEntries(
    target,
    ordered.map(({ entry }) => entry),
    scan,
    names?.file,
  )
  return ordered.map((fact, at) => ({ text: texts[at] ?? '', isOutside: isOutside(fact) }))
}

/** Why entries are missing from the block; `''` if none is. */
const leftOutNote = (store: StoreToShow, shown: number): string => {
  const count = store.facts.length - shown
  if (count === 0) return ''
  const why = isOverfull(store) ? `${store.names?.file ?? memoryFileName(store.target)} is over its limit` : 'no room'
  return `${formatCount(count)} ${count === 1 ? 'entry' : 'entries'} left out: ${why}`
}

/** The usage counts the entries as shown, with delimiters, without headings and marks. */
const layOut = ({ target, charLimit, names }: StoreToShow, shown: readonly ShownEntry[], note: string): string => {
  const usage = formatUsage(countUsedChars(shown.map(({ text }) => text)), charLimit)
  const header = blockHeading(`${names?.title ?? TITLES[target]} [${usage}${note === '' ? '' : `; ${note}`}]`)
  const own = joinEntries(shown.filter(({ isOutside }) => !isOutside).map(({ text }) => text))
  const outside = joinEntries(shown.filter(({ isOutside }) => isOutside).map(({ text }) => quoteLines(text)))
  const parts = [own, outside === '' ? '' : `${OUTSIDE_HEADING}\n${outside}`].filter((part) => part !== '')
  return `${header}\n${parts.join('\n\n')}`
}

/** Of a block with a note. */
const HEADING_CHARS = 230

const roomIn = (maxChars: number): number => Math.min(maxChars, ENTRIES_SCAN_MAX_CHARS)

/**
 * The block in at most `maxChars` code points. If not all entries fit, it has the pinned and the newest, and a note in the heading says how many are left out.
 * `undefined` for an empty store; `''` if there is no room for even the note.
 */
export const renderMemoryBlock = (store: StoreToShow, maxChars: number): string | undefined => {
  if (store.facts.length === 0) return undefined
  const all = chooseEntries(store, roomIn(maxChars))
  for (let chosen = all.length === store.facts.length ? all : chooseEntries(store, roomIn(maxChars) - HEADING_CHARS); ; ) {
    const shown = toShown(store, chosen)
    const note = leftOutNote(store, shown.length)
    const block = layOut(store, shown, note)
    const chars = countCodePoints(block)
    if (chars <= maxChars) return block
    if (shown.length === 0) return countCodePoints(note) + 2 <= maxChars ? `[${note}]` : ''
    // Placeholders and marks have taken more room than the entries: as much smaller a part of them, the most valuable.
    chosen = chosen.slice(0, Math.min(chosen.length - 1, Math.floor((chosen.length * maxChars) / chars)))
  }
}

/** Renders the block of one store; `undefined` for an empty one. */
export type RenderBlock = (maxChars: number) => string | undefined

/** As `renderMemoryBlock`, for at most `maxBlockChars`. What a large store may show is read in slices; other work runs in between. */
export const prepareBlock = async (store: StoreToShow, maxBlockChars: number): Promise<RenderBlock> => {
  const chosen = chooseEntries(store, roomIn(maxBlockChars))
  await store.scan?.prepare(chosen.map((index) => store.facts[index]?.entry ?? ''))
  const whole = renderMemoryBlock(store, maxBlockChars)
  return (maxChars) => (maxChars < maxBlockChars ? renderMemoryBlock(store, maxChars) : whole)
}
