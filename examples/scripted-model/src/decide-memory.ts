/** What the person asks to be remembered, changed or forgotten, as a call of the memory tool. */
import { extractFacts, isAboutSpeaker, toThirdPerson } from './facts.ts'
import type { KnownEntry } from './prompt-blocks.ts'
import { type Decider, say } from './scene.ts'
import { MEMORY_TOOL, readMemoryToolInput } from './tool-calls.ts'
import { closest } from './words.ts'

type MemoryRequest =
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

const closestEntry = (subject: string, known: readonly KnownEntry[]): KnownEntry | undefined =>
  closest(subject, known, ({ text }) => text)[0]

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
    const entry = closestEntry(clean(forget), known)
    return entry === undefined
      ? { action: 'none', subject: clean(forget) }
      : { action: 'remove', target: entry.target, oldText: entry.text }
  }
  const change = CHANGE.exec(text)
  if (change?.[1] !== undefined && change[2] !== undefined) {
    const entry = closestEntry(clean(change[1]), known)
    if (entry === undefined) return { action: 'none', subject: clean(change[1]) }
    return { action: 'replace', target: entry.target, oldText: entry.text, content: changed(entry, clean(change[1]), clean(change[2])) }
  }
  const correction = ACTUALLY.exec(text)?.[1]
  const fact = correction === undefined ? undefined : extractFacts(correction).find(({ sure }) => sure)
  if (fact === undefined) return undefined
  const entry = closestEntry(
    fact.content.split(' ').slice(0, 3).join(' '),
    known.filter(({ target }) => target === fact.target),
  )
  if (entry === undefined) return { action: 'add', target: fact.target, content: fact.content }
  return { action: 'replace', target: fact.target, oldText: entry.text, content: fact.content }
}

const DONE = {
  add: 'Done. I will remember that.',
  replace: 'Done. I changed it.',
  remove: 'Done. I forgot it.',
} as const

export const decideMemoryStep: Decider = ({ text, known, calls, toolNames }) => {
  const last = calls.findLast(({ toolName }) => toolName === MEMORY_TOOL)
  if (last !== undefined) {
    return say(last.success ? DONE[readMemoryToolInput(last.input)?.action ?? 'add'] : `I could not do that: ${last.problem}`)
  }
  const request = memoryRequest(text, known)
  if (request === undefined) return undefined
  if (request.action === 'none') return say(`I remember nothing about "${request.subject}".`)
  if (!toolNames.includes(MEMORY_TOOL)) return say('I cannot write that down: I was given no memory tool.')
  return {
    kind: 'call',
    toolName: MEMORY_TOOL,
    input: {
      action: request.action,
      target: request.target,
      ...(request.action === 'remove' ? {} : { content: request.content }),
      ...(request.action === 'add' ? {} : { old_text: request.oldText }),
    },
  }
}
