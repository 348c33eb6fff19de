/**
 * The longest time that crafted input blocks the event loop (DESIGN 8.4): each case runs as a host would run it, while a timer measures the longest gap between two of
 * its ticks. To add a part, write its cases as a table and add it to `CASES`.
 */

import { pathToFileURL } from 'node:url'
import { updateDocument } from '@hermes/core/storage'
import { evidenceGate } from '../packages/core/src/gate/gates.ts'
import { MemoryStore } from '../packages/core/src/memory/memory-store.ts'
import type { ReviewProposal } from '../packages/core/src/proposal/review-proposal.ts'
import type { Transcript } from '../packages/core/src/proposal/transcript.ts'
import { SkillStore } from '../packages/core/src/skills/skill-store.ts'
import { inMemoryBackend } from '../packages/core/src/storage/in-memory.ts'
import { findNewCredentials, holdsCredential, MAX_CREDENTIAL_CHARS } from '../packages/core/src/threats/credentials/find-credentials.ts'
import { redactCredentials } from '../packages/core/src/threats/credentials/redact-credentials.ts'
import { createMemoryScan, scanThreats, THREAT_SCAN_MAX_CHARS } from '../packages/core/src/threats/scan.ts'
import { cases as readingCases } from './worst-blocking-skills.ts'

interface Case {
  readonly name: string
  readonly run: () => unknown
}

/** The longest time that any input may block the event loop. */
const LIMIT_MS = 50
/** The best of this many runs counts, to exclude other load on the machine. */
const RUNS = 3

const repeated = (piece: string, length: number): string => piece.repeat(Math.ceil(length / piece.length)).slice(0, length)

const SHAPES: Readonly<Record<string, string>> = {
  'a! ': 'a! ',
  'I like tea! ': 'I like tea! ',
  'a? ': 'a? ',
  letters: 'a',
  spaces: ' ',
  lines: 'a\n',
  commas: ',',
  'comma words': 'a, ',
  brackets: '(',
  dots: 'a.',
  digits: '1',
  'number list': '11 ',
  'not ': 'not ',
  'instead of ': 'instead of a ',
  不要: '不要用这个',
  ligatures: '\ufdfa',
  marks: '\u0301',
  'marks out of order': '\u0301\u0327',
  'zero width': '\u200b',
  joiners: '\u{1f468}\u200d',
  'tag characters': '\u{e0041}',
  'spaced letters': 'i g n o r e ',
  'dotted letters': 'i.g.n.o.r.e ',
  Cyrillic: 'ас ',
  addresses: 'http://a.b/',
  'at signs': 'a@',
  'scheme marks': '://',
  'user:pass@': 'a://b:c@',
  hyphens: 'a-',
  slashes: '/a',
  flags: '--a ',
  backticks: '`a` ',
  commands: 'git push ',
  keys: 'sk-',
  'JWT starts': 'eyJ-',
  'password is ': 'password is ',
  'password: ': 'password: ',
  'password for ': 'password for a ',
  'api_key=': 'api_key=',
  'private keys': '-----BEGIN RSA PRIVATE KEY-----',
  'recovery words': 'seed phrase: legal winner ',
  'card digits': '4111 1111 ',
  'ignore all ': 'ignore all previous ',
  'user wants ': 'the user wants a ',
  prose: 'The project builds with the tool on each branch and ships after review on Fridays. ',
}

const shaped = (length: number): ReadonlyArray<readonly [string, string]> =>
  Object.entries(SHAPES).map(([name, piece]) => [name, repeated(piece, length)])

const conversation = (count: number, text: string): Transcript =>
  Array.from({ length: count }, (_, index) => {
    const side = index % 2 === 0 ? 'user' : 'tool'
    return { id: `m${index + 1}`, role: side, origin: side, text }
  })

const judge = async (proposal: ReviewProposal, transcript: Transcript, entries: readonly string[] = []): Promise<unknown> =>
  evidenceGate()(proposal, { transcript, entries: { memory: entries, user: entries }, unattended: true })

const adding = (content: string, quote = content.slice(0, 200)): ReviewProposal => ({
  target: 'user',
  op: { action: 'add', content },
  score: 0.9,
  rationale: '',
  evidence: [{ quote }],
})

const replacing = (content: string): ReviewProposal => ({
  target: 'memory',
  op: { action: 'replace', oldText: content.slice(0, 1_000), content },
  score: 0.9,
  rationale: '',
})

const creating = (body: string): ReviewProposal => ({
  target: 'skill',
  op: { action: 'create', name: 'x', content: `---\nname: x\ndescription: d\n---\n\n${body}` },
  score: 0.9,
  rationale: '',
  evidence: [{ quote: body.slice(0, 200) }],
})

const gateCases: readonly Case[] = shaped(60_000).flatMap(([name, text]) => [
  {
    name: `gate: 15,900 characters against one message of 60,000: ${name}`,
    run: () => judge(adding(text.slice(0, 15_900)), conversation(2, text)),
  },
  {
    name: `gate: 20 proposals of 1,300 characters against 20 messages of 20,000: ${name}`,
    run: async () => {
      const transcript = conversation(20, text.slice(0, 20_000))
      for (let round = 0; round < 20; round++) await judge(adding(text.slice(round, 1_300 + round)), transcript)
    },
  },
  {
    name: `gate: a replacement of 4,000 characters: ${name}`,
    run: () => judge(replacing(text.slice(0, 4_000)), conversation(4, text.slice(0, 10_000)), [text.slice(0, 4_000), text.slice(0, 1_000)]),
  },
  { name: `gate: a skill of 60,000 characters: ${name}`, run: () => judge(creating(text), conversation(4, text.slice(0, 20_000))) },
])

const scanCases: readonly Case[] = shaped(THREAT_SCAN_MAX_CHARS).flatMap(([name, text]) => [
  { name: `scan: one text: ${name}`, run: () => scanThreats(text, 'strict') },
  {
    name: `scan: 64 entries: ${name}`,
    run: () => createMemoryScan().all(Array.from({ length: 64 }, () => text.slice(0, THREAT_SCAN_MAX_CHARS / 64))),
  },
  {
    name: `scan: a hand-written file of 1,000,000 characters: ${name}`,
    run: async () => {
      const storage = inMemoryBackend()
      await updateDocument(storage, 'memories/MEMORY.md', () =>
        new TextEncoder().encode(Array.from({ length: 16 }, () => text).join('\n§\n')),
      )
      await new MemoryStore({ storage }).load()
    },
  },
])

const redactionCases: readonly Case[] = shaped(MAX_CREDENTIAL_CHARS).flatMap(([name, text]) => [
  { name: `credentials: find: ${name}`, run: () => holdsCredential(text) },
  { name: `credentials: new in a change: ${name}`, run: () => findNewCredentials(text.slice(1), text) },
  { name: `credentials: redact: ${name}`, run: () => redactCredentials(text) },
])

const skillCases: readonly Case[] = shaped(99_000).map(([name, text]) => ({
  name: `skill store: a support file of 99,000 characters: ${name}`,
  run: async () => {
    const store = new SkillStore({ storage: inMemoryBackend() })
    await store.create({ name: 'x', content: '---\nname: x\ndescription: d\n---\n\nbody\n' })
    await store.writeFile('x', 'references/a.md', text.slice(1))
    await store.writeFile('x', 'references/a.md', text)
  },
}))

const CASES: readonly Case[] = [...gateCases, ...scanCases, ...redactionCases, ...skillCases, ...readingCases]

interface Block {
  /** Wall-clock time, including other load on the machine. */
  readonly ms: number
  /** Processor time of the process. */
  readonly cpuMs: number
}

/** The longest time between two ticks during `run`. */
const longestBlock = async (run: () => unknown): Promise<Block> => {
  let longest: Block = { ms: 0, cpuMs: 0 }
  let last = performance.now()
  let lastCpu = process.threadCpuUsage()
  const note = (): void => {
    const now = performance.now()
    const { user, system } = process.threadCpuUsage(lastCpu)
    const ms = now - last
    const cpuMs = Math.min(ms, (user + system) / 1000)
    if (cpuMs > longest.cpuMs) longest = { ms, cpuMs }
    last = performance.now()
    lastCpu = process.threadCpuUsage()
  }
  let isRunning = true
  const tick = (): void => {
    note()
    if (isRunning) setImmediate(tick)
  }
  await new Promise((resolve) => setImmediate(resolve))
  last = performance.now()
  lastCpu = process.threadCpuUsage()
  setImmediate(tick)
  await run()
  isRunning = false
  note()
  return longest
}

const measure = async ({ name, run: work }: Case): Promise<Block & { readonly name: string }> => {
  let best: Block = { ms: Number.POSITIVE_INFINITY, cpuMs: Number.POSITIVE_INFINITY }
  for (let round = 0; round < RUNS && best.cpuMs > LIMIT_MS / 2; round++) {
    const block = await longestBlock(work)
    if (block.cpuMs < best.cpuMs) best = block
  }
  return { name, ...best }
}

/** Prints the slowest cases and whether the limit holds. The environment variable `CASES` selects cases whose name contains its text. */
export const run = async (): Promise<void> => {
  const only = process.env['CASES'] ?? ''
  const results: (Block & { readonly name: string })[] = []
  for (const each of CASES.filter(({ name }) => name.includes(only))) results.push(await measure(each))
  results.sort((a, b) => b.cpuMs - a.cpuMs)
  const over = results.filter(({ cpuMs }) => cpuMs > LIMIT_MS)
  console.log(`${results.length} cases; longest block of the event loop in each, best of ${RUNS}, as computing time and by the clock:`)
  for (const { name, ms, cpuMs } of results.slice(0, Math.max(15, over.length))) {
    console.log(`${cpuMs.toFixed(1).padStart(9)} ms ${ms.toFixed(1).padStart(9)} ms  ${name}`)
  }
  console.log(`worst ${results[0]?.cpuMs.toFixed(1) ?? '-'} ms; over ${LIMIT_MS} ms: ${over.length} of ${results.length}`)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await run()
