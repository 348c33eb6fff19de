/** Reads an archive into memory, with nothing in it taken on trust: size, kinds of members, their paths and bytes are all checked. */
import { unpackTar } from 'modern-tar'
import { HermesError } from '../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../shared/result.ts'
import type { DocumentContent } from '../../storage/storage-backend.ts'
import { inBatches } from './backup-batches.ts'
import { sha256Of, toPlainBytes } from './backup-bytes.ts'
import type { BackupFile } from './backup-manifest.ts'

/** By document path, in the order of the archive. */
export type BackupContents = ReadonlyMap<string, Required<DocumentContent>>

/** A header, a long name and the padding of one member. */
const MEMBER_OVERHEAD = 8_192
const ARCHIVE_OVERHEAD = 65_536

const broken = (why: string, cause?: unknown): HermesError => new HermesError('unreadable', why, { cause })

/** `undefined` where it would be larger than `limit`. Throws what the platform says of a stream that is no gzip or ends early. */
const decompress = async (archive: Uint8Array, limit: number): Promise<Uint8Array | undefined> => {
  const reader = new Blob([toPlainBytes(archive)]).stream().pipeThrough(new DecompressionStream('gzip')).getReader()
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let total = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return new Uint8Array(await new Blob(chunks).arrayBuffer())
    total += value.length
    if (total > limit) {
      await reader.cancel()
      return undefined
    }
    chunks.push(value)
  }
}

const checkMember = async (
  file: BackupFile | undefined,
  name: string,
  type: string | undefined,
  data: Uint8Array | undefined,
): Promise<Result<Uint8Array>> => {
  const shown = `'${name.slice(0, 200)}'`
  if (type !== 'file' || !data) return err(broken(`its member ${shown} is no regular file but a ${type ?? 'member of no known kind'}`))
  // Absolute paths and `..` are among what no manifest can name.
  if (!file) return err(broken(`its member ${shown} is not one that its manifest names`))
  if (data.length !== file.size) return err(broken(`its member ${shown} has ${data.length} bytes instead of ${file.size}`))
  return (await sha256Of(data)) === file.sha256 ? ok(data) : err(broken(`its member ${shown} is not what was backed up`))
}

/** Every file of the list and nothing else, or `unreadable` with half a sentence that says what is wrong. */
export const unpackArchive = async (archive: Uint8Array, files: readonly BackupFile[]): Promise<Result<BackupContents>> => {
  const expected = new Map(files.map((file) => [file.path, file]))
  const limit = files.reduce((sum, { size }) => sum + size + MEMBER_OVERHEAD, ARCHIVE_OVERHEAD)
  let members: Awaited<ReturnType<typeof unpackTar>>
  try {
    const tar = await decompress(archive, limit)
    if (!tar) return err(broken('it unpacks to more than its manifest says'))
    members = await unpackTar(tar, { strict: true })
  } catch (cause) {
    return err(broken(`it cannot be unpacked (${cause instanceof Error ? cause.message : String(cause)})`, cause))
  }
  if (new Set(members.map(({ header }) => header.name)).size !== members.length) return err(broken('it holds a member twice'))
  const checked = await inBatches(members, async ({ header, data }) => {
    const bytes = await checkMember(expected.get(header.name), header.name, header.type, data)
    const executable = expected.get(header.name)?.executable ?? false
    return bytes.ok ? ok([header.name, { bytes: bytes.value, executable }] as const) : bytes
  })
  if (!checked.ok) return checked
  const contents = new Map(checked.value)
  const missing = files.find(({ path }) => !contents.has(path))
  return missing ? err(broken(`its file '${missing.path}' is missing`)) : ok(contents)
}
