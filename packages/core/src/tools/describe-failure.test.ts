/** A model follows what it reads, so a failure contains one piece of advice, addressed to the model. */
import { expect, test } from 'vitest'
import { HermesError } from '../shared/hermes-error.ts'
import type { MemoryToolResult } from './memory-reply.ts'
import { describeMemoryReply } from './memory-reply.ts'

const errorOf = (result: MemoryToolResult): string => (result.success ? '' : result.error)

test.each<[string, HermesError, RegExp]>([
  ['a full disk', new HermesError('no_space', 'ENOSPC. The disk is full: free some space and try again.'), /free some space/],
  [
    'missing rights',
    new HermesError('unwritable', 'EACCES. Check who owns it.', { details: { path: 'a.md' } }),
    /may not write a\.md.*permissions/,
  ],
  ['missing rights to read', new HermesError('unreadable', 'EACCES.', { details: { systemCode: 'EACCES' } }), /may not read.*permissions/],
  [
    'bytes that are no text',
    new HermesError('unreadable', 'Save it as UTF-8, then retry.'),
    /memories\/MEMORY\.md is .*not valid UTF-8.*repair/,
  ],
  ['a lock that is held', new HermesError('locked', "Held. Raise 'timeoutMs'; retry in a moment."), /another program/],
  ['a link that leads away', new HermesError('invalid_path', 'Put the real file in its place.'), /symbolic links/],
  ['a foreign entry', new HermesError('drift', 'Split it by hand, then retry.'), /shorten that entry/],
  ['a store that is off', new HermesError('disabled', 'Switch it on in the options.'), /switched off/],
  ['the cap', new HermesError('capped', 'Stop retrying. The last cause: shorten it and call again.'), /until the next turn/],
  ['a gate that broke', new HermesError('gate', 'The gate failed: boom'), /check/],
  ['no answer in time', new HermesError('timeout', 'No answer.'), /not known whether/],
  ['what nobody foresaw', new HermesError('io', 'EMFILE. Check the system message, then try again.'), /could not be reached/],
])('%s gives the model one advice, not that of the person who can mend it', (_, { code, message, details }, words) => {
  const result = describeMemoryReply('memory', { kind: 'refused', code, message, details })
  expect(result).toMatchObject({ success: false, done: true, code })
  const error = errorOf(result)
  expect(error).toMatch(words)
  expect(error).toMatch(/\. Do not call again in this turn; go on with the task[^.]*\.$/)
  expect(JSON.stringify(result)).not.toMatch(/retry|try again|timeoutMs|options|boom/i)
})

test('the reason of a gate is passed on as it is, as a sentence', () => {
  const refused = (message: string) => errorOf(describeMemoryReply('user', { kind: 'refused', code: 'rejected', message }))
  for (const reason of ['A rule from a web page', 'A rule from a web page.']) {
    expect(refused(reason)).toBe('A rule from a web page. Do not call again in this turn; go on with the task.')
  }
})
