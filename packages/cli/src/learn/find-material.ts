/** What an argument of `hermes learn` names: a file or folder of documents, a page, or old conversations. */
import type { Context } from '../context.ts'
import { documentSource, findDocuments, isDocumentName } from './documents.ts'
import { findFiles } from './find-files.ts'
import type { FoundSources } from './learn-source.ts'
import { findConversations, isTranscriptName } from './transcripts.ts'

export interface Asked {
  readonly from: string
  readonly sessions: boolean
  readonly allowPrivate: boolean
  readonly signal: AbortSignal
}

export const isAddress = (from: string): boolean => /^[a-z][a-z0-9+.-]+:\/\//i.test(from)

const findPage = async ({ from, allowPrivate, signal }: Asked, { clock }: Context): Promise<FoundSources> => {
  const { fetchPage, isPrivateAddress } = await import('./fetch-page.ts')
  const page = await fetchPage(from, { isRefused: allowPrivate ? () => false : isPrivateAddress, at: clock(), signal })
  if ('why' in page) return { sources: [], skipped: [page] }
  const found = await documentSource(page)
  return found
    ? { sources: [found.source], skipped: found.skipped }
    : { sources: [], skipped: [{ name: page.name, why: 'it has no text' }] }
}

/** Rejects if the file or folder cannot be read. */
export const findMaterial = async (asked: Asked, context: Context): Promise<FoundSources> => {
  if (isAddress(asked.from)) return findPage(asked, context)
  const { progress } = context
  progress.show('Reading …')
  const isWanted = asked.sessions ? isTranscriptName : isDocumentName
  const { files, skipped } = await findFiles(asked.from, isWanted)
  const onFile = (done: number) => progress.count(done, files.length, 'files')
  const found = await (asked.sessions ? findConversations(files, onFile) : findDocuments(files, onFile))
  return { sources: found.sources, skipped: [...skipped, ...found.skipped] }
}
