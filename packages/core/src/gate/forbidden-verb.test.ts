import { expect, it } from 'vitest'
import { stampTranscript } from '../proposal/stamp-transcript.ts'
import { findAskedRemoval, findAttendedRemoval } from './asked-removal.ts'
import { forbidsVerb } from './forbidden-verb.ts'

const verbs = /(?<!\p{L})(?:delete|archive|löschen)(?!\p{L})/u

it.each(['Never delete it', "Please don't archive or delete it", 'Das bitte nicht löschen', 'Do not ever archive the skill'])(
  'hears that it must not be done: %s',
  (text) => {
    expect(forbidsVerb(text, verbs)).toBe(true)
  },
)

it.each([
  'Delete it',
  'Delete the note on it',
  'As noted, delete it',
  'I do not need it, delete it',
  'Nothing here speaks of it',
  'Bitte löschen',
])('hears no ban: %s', (text) => {
  expect(forbidsVerb(text, verbs)).toBe(false)
})

it('keeps an entry that the user wants kept', () => {
  const removal = (text: string) => {
    const transcript = stampTranscript([{ role: 'user', text }], new Set())
    return [findAskedRemoval('Repo uses pnpm', transcript)?.id, findAttendedRemoval('Repo uses pnpm', transcript)?.id]
  }
  expect(removal('Never delete the note that the repo uses pnpm')).toEqual([undefined, undefined])
  expect(removal("Don't remove the fact that the repo uses pnpm")).toEqual([undefined, undefined])
  expect(removal('Delete the note that the repo uses pnpm')).toEqual(['m1', 'm1'])
  expect(removal('The repo no longer uses pnpm')).toEqual(['m1', 'm1'])
})
