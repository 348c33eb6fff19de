/** What a host submits may have any shape: null means absent, and what is no proposal is `invalid`; nothing is thrown. */
import { describe, expect, it } from 'vitest'
import type { ReviewProposal } from '../../src/proposal/review-proposal.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import { skillText, write } from '../support/skill-library.ts'
import { openHome, user } from './open-home.ts'

const open = async () => {
  const storage = inMemoryBackend()
  await write(storage, { 'skills/deploy/SKILL.md': skillText('deploy'), 'memories/MEMORY.md': 'builds with pnpm' })
  const { hermes } = openHome(storage, { trust: 'open' })
  const session = hermes.session('a')
  session.beginStep([user('Remember how I deploy')])
  return { hermes, session }
}

const reasons = { rationale: 'said', score: 0.9, evidence: [] }

const submit = async (proposal: unknown) => {
  const { session } = await open()
  return session.submit(proposal as ReviewProposal)
}

const OPTIONAL: readonly (readonly [field: string, proposal: unknown])[] = [
  ['rationale', { target: 'memory', op: { action: 'add', content: 'x' }, ...reasons, rationale: null }],
  ['evidence', { target: 'memory', op: { action: 'add', content: 'x' }, ...reasons, evidence: null }],
  [
    'evidence.messageId',
    { target: 'memory', op: { action: 'add', content: 'x' }, ...reasons, evidence: [{ messageId: null, quote: 'x' }] },
  ],
  ['category', { target: 'skill', op: { action: 'create', name: 'new', category: null, content: skillText('new') }, ...reasons }],
  [
    'filePath and replaceAll',
    {
      target: 'skill',
      op: { action: 'patch', name: 'deploy', oldText: 'How', newText: 'Now', filePath: null, replaceAll: null },
      ...reasons,
    },
  ],
  ['absorbedInto', { target: 'skill', op: { action: 'archive', name: 'deploy', absorbedInto: null }, ...reasons }],
]

const OPS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  add: { target: 'memory', op: { action: 'add', content: 'x' }, ...reasons },
  replace: { target: 'memory', op: { action: 'replace', oldText: 'pnpm', content: 'x' }, ...reasons },
  remove: { target: 'memory', op: { action: 'remove', oldText: 'pnpm' }, ...reasons },
  create: { target: 'skill', op: { action: 'create', name: 'new', content: skillText('new') }, ...reasons },
  edit: { target: 'skill', op: { action: 'edit', name: 'deploy', content: skillText('deploy') }, ...reasons },
  patch: { target: 'skill', op: { action: 'patch', name: 'deploy', oldText: 'How', newText: 'Now' }, ...reasons },
  write_file: { target: 'skill', op: { action: 'write_file', name: 'deploy', filePath: 'scripts/a', content: 'x' }, ...reasons },
  remove_file: { target: 'skill', op: { action: 'remove_file', name: 'deploy', filePath: 'scripts/a' }, ...reasons },
  archive: { target: 'skill', op: { action: 'archive', name: 'deploy' }, ...reasons },
}

const REQUIRED = Object.entries(OPS).flatMap(([action, proposal]) => [
  ...['target', 'op', 'score'].map((field) => [action, field, { ...proposal, [field]: null }] as const),
  ...Object.keys(proposal['op'] as object).map(
    (field) => [action, `op.${field}`, { ...proposal, op: { ...(proposal['op'] as object), [field]: null } }] as const,
  ),
])

describe('session.submit', () => {
  it.each(OPTIONAL)('takes null as absent: %s', async (_, proposal) => {
    expect(await submit(proposal)).toMatchObject({ ok: true, value: { kind: 'applied' } })
  })

  it.each(REQUIRED)('answers invalid if a field of %s is null that it needs: %s', async (_action, _field, proposal) => {
    expect(await submit(proposal)).toMatchObject({
      ok: false,
      error: { code: 'invalid', message: expect.stringMatching(/^Nothing was written\. /) },
    })
  })

  it.each([[null], [undefined], ['text'], [3], [[]], [{}]])('answers invalid to %j', async (proposal) => {
    expect(await submit(proposal)).toMatchObject({ ok: false, error: { code: 'invalid' } })
  })
})
