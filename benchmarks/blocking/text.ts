/** Crafted texts for the gate, the scans of threats and credentials, and the stores. */
import { updateDocument } from '@hermes/core/storage'
import { evidenceGate } from '../../packages/core/src/gate/gates.ts'
import { MemoryStore } from '../../packages/core/src/memory/memory-store.ts'
import type { ReviewProposal } from '../../packages/core/src/proposal/review-proposal.ts'
import type { Transcript } from '../../packages/core/src/proposal/transcript.ts'
import { SkillStore } from '../../packages/core/src/skills/skill-store.ts'
import { inMemoryBackend } from '../../packages/core/src/storage/in-memory.ts'
import { findNewCredentials, holdsCredential, MAX_CREDENTIAL_CHARS } from '../../packages/core/src/threats/credentials/find-credentials.ts'
import { redactCredentials } from '../../packages/core/src/threats/credentials/redact-credentials.ts'
import { createMemoryScan, scanThreats, THREAT_SCAN_MAX_CHARS } from '../../packages/core/src/threats/scan.ts'
import { type BlockingCase, repeated } from './case.ts'
import { piecesOf } from './pieces.ts'

const shaped = (length: number): ReadonlyArray<readonly [string, string]> =>
  piecesOf('shape').map(({ name = '', piece }) => [name, repeated(piece, length)])

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

const gateCases: readonly BlockingCase[] = shaped(60_000).flatMap(([name, text]) => [
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

const scanCases: readonly BlockingCase[] = shaped(THREAT_SCAN_MAX_CHARS).flatMap(([name, text]) => [
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

const redactionCases: readonly BlockingCase[] = shaped(MAX_CREDENTIAL_CHARS).flatMap(([name, text]) => [
  { name: `credentials: find: ${name}`, run: () => holdsCredential(text) },
  { name: `credentials: new in a change: ${name}`, run: () => findNewCredentials(text.slice(1), text) },
  { name: `credentials: redact: ${name}`, run: () => redactCredentials(text) },
])

const skillCases: readonly BlockingCase[] = shaped(99_000).map(([name, text]) => ({
  name: `skill store: a support file of 99,000 characters: ${name}`,
  run: async () => {
    const store = new SkillStore({ storage: inMemoryBackend() })
    await store.create({ name: 'x', content: '---\nname: x\ndescription: d\n---\n\nbody\n' })
    await store.writeFile('x', 'references/a.md', text.slice(1))
    await store.writeFile('x', 'references/a.md', text)
  },
}))

export const textCases: readonly BlockingCase[] = [...gateCases, ...scanCases, ...redactionCases, ...skillCases]
