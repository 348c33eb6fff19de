import { expect, it } from 'vitest'
import { documentVersion } from './document-version.ts'
import { equalContent } from './equal-content.ts'
import type { DocumentContent } from './storage-backend.ts'

const text = (content: string, executable?: boolean): DocumentContent => ({
  bytes: new TextEncoder().encode(content),
  ...(executable === undefined ? {} : { executable }),
})

it.each<[string, boolean, DocumentContent | undefined, DocumentContent | undefined]>([
  ['the same bytes', true, text('a'), text('a')],
  ['other bytes', false, text('a'), text('b')],
  ['a right to run that only one names', false, text('a', true), text('a')],
  ['a right to run that both have', true, text('a', true), text('a', true)],
  ['a right to run that one names as absent', true, text('a', false), text('a')],
  ['other bytes and the same right to run', false, text('a', true), text('b', true)],
  ['one missing document', false, text('a'), undefined],
  ['two missing documents', true, undefined, undefined],
])('%s: %s', (_, isEqual, a, b) => {
  expect(equalContent(a, b)).toBe(isEqual)
  expect(equalContent(b, a)).toBe(isEqual)
  if (a && b) expect(documentVersion(a) === documentVersion(b)).toBe(isEqual)
})
