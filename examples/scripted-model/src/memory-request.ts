/** What the person asks to be remembered, forgotten or changed, as a call of the memory tool. */
import { extractFacts } from './facts.ts'
import { keywords, sharedKeywords } from './keywords.ts'
import type { KnownEntry } from './memory-block.ts'
import { isAboutSpeaker, toThirdPerson } from './third-person.ts'

export type MemoryRequest =
  | { readonly action: 'add'; readonly target: 'memory' | 'user'; readonly content: string }
  | { readonly action: 'replace'; readonly target: 'memory' | 'user'; readonly oldText: string; readonly content: string }
  | { readonly action: 'remove'; readonly target: 'memory' | 'user'; readonly oldText: string }
  /** Something is to go or to change, but no entry carries it. */
  | { readonly action: 'none'; readonly subject: string }

const REMEMBER =
  /^(?:please,? )?(?:can you |could you )?(?:please )?(?:remember|note|keep in mind|don't forget|do not forget)(?: that| this)?[:,]?\s+(\S.*)$/is
const FORGET = /^(?:please,? )?(?:can you |could you )?(?:please )?(?:forget|stop remembering)(?: that| about)?[:,]?\s+(\S.*)$/is
const CHANGE = /^(?:please,? )?(?:change|correct|update)\s+(\S.*?)\s+to\s+(\S.*)$/is
const ACTUALLY = /^(?:actually|correction)[:,]?\s+(\S.*)$/is

const clean = (text: string): string => text.trim().replace(/[.!?]+$/, '')

const closest = (subject: string, known: readonly KnownEntry[], target?: 'memory' | 'user'): KnownEntry | undefined => {
  const wanted = keywords(subject)
  let best: { readonly entry: KnownEntry; readonly score: number } | undefined
  for (const entry of known) {
    if (target !== undefined && entry.target !== target) continue
    const score = sharedKeywords(wanted, keywords(entry.text))
    if (score > (best?.score ?? 0)) best = { entry, score }
  }
  return best?.entry
}

const changed = (entry: KnownEntry, from: string, to: string): string => {
  const at = entry.text.toLowerCase().indexOf(from.toLowerCase())
  if (at >= 0) return entry.text.slice(0, at) + to + entry.text.slice(at + from.length)
  const statement = /^(.*? (?:is|are|in|with|for|at)) .+$/s.exec(entry.text)
  return statement?.[1] === undefined ? to : `${statement[1]} ${to}`
}

/** `known`: the entries of the block and those that the chat added since. Undefined: the person asks for nothing of the kind. */
export const memoryRequest = (text: string, known: readonly KnownEntry[]): MemoryRequest | undefined => {
  const remember = REMEMBER.exec(text)?.[1]
  if (remember !== undefined) {
    const fact = clean(remember)
    return { action: 'add', target: isAboutSpeaker(fact) ? 'user' : 'memory', content: toThirdPerson(fact) }
  }
  const forget = FORGET.exec(text)?.[1]
  if (forget !== undefined) {
    const entry = closest(clean(forget), known)
    return entry === undefined
      ? { action: 'none', subject: clean(forget) }
      : { action: 'remove', target: entry.target, oldText: entry.text }
  }
  const change = CHANGE.exec(text)
  if (change?.[1] !== undefined && change[2] !== undefined) {
    const entry = closest(clean(change[1]), known)
    if (entry === undefined) return { action: 'none', subject: clean(change[1]) }
    return { action: 'replace', target: entry.target, oldText: entry.text, content: changed(entry, clean(change[1]), clean(change[2])) }
  }
  const correction = ACTUALLY.exec(text)?.[1]
  const fact = correction === undefined ? undefined : extractFacts(correction).find(({ sure }) => sure)
  if (fact === undefined) return undefined
  const entry = closest(fact.content.split(' ').slice(0, 3).join(' '), known, fact.target)
  if (entry === undefined) return { action: 'add', target: fact.target, content: fact.content }
  return { action: 'replace', target: fact.target, oldText: entry.text, content: fact.content }
}
