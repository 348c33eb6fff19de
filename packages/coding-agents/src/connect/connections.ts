/** Connects coding agents and disconnects them. What a file was before is kept, so that disconnecting restores it byte for byte. */
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, realpath, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { asRecord, asText } from '@hermes/core/adapter'
import { claudeSetup } from './claude-setup.ts'
import { codexSetup } from './codex-setup.ts'
import { copyFolder, type Digests, digestsOf, removeCopy } from './folder-copy.ts'
import type { FileChange, HostSetup, Setup } from './host-setup.ts'

export const HOST_SETUPS: readonly HostSetup[] = [claudeSetup, codexSetup]

interface ConnectedFile {
  readonly path: string
  /** Undefined if there was no such file. */
  readonly before?: string
  /** Of the text that connecting wrote. */
  readonly digest: string
  /** Folders that connecting made for it, the innermost first. */
  readonly made: readonly string[]
}

interface Connection {
  readonly files: readonly ConnectedFile[]
  readonly folders: readonly { readonly path: string; readonly digests: Digests; readonly made: readonly string[] }[]
}

/** `home`: the folder of the Hermes home. */
const recordFile = (home: string, host: string): string => join(home, '.hermes', 'agents', 'connected', `${host}.json`)

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex')

const readConnection = async (home: string, host: string): Promise<Connection | undefined> => {
  const text = await readFile(recordFile(home, host), 'utf8').catch(() => undefined)
  // It is ours alone, and private.
  return text === undefined ? undefined : (JSON.parse(text) as Connection)
}

/** Keeps the permissions of the file, and a link to it. */
const replaceText = async (path: string, text: string): Promise<void> => {
  const target = await realpath(path).catch(() => path)
  const mode = (await stat(target).catch(() => undefined))?.mode
  const fresh = `${target}.hermes-${process.pid}`
  await writeFile(fresh, text, mode === undefined ? {} : { mode })
  await rename(fresh, target)
}

/** The folders above a path that are missing, the innermost first. */
const missingFolders = async (path: string): Promise<readonly string[]> => {
  const folder = dirname(path)
  const isThere = (await stat(folder).catch(() => undefined)) !== undefined
  return isThere || folder === path ? [] : [folder, ...(await missingFolders(folder))]
}

const writeRecord = async (home: string, host: string, connection: Connection): Promise<void> => {
  const file = recordFile(home, host)
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  await writeFile(file, JSON.stringify(connection), { mode: 0o600 })
}

const connectedFile = async ({ path, before, after }: FileChange): Promise<ConnectedFile> => ({
  path,
  ...(before === undefined ? {} : { before }),
  digest: digestOf(after),
  made: await missingFolders(path),
})

export type ConnectionState = 'connected' | 'changed' | 'not-connected'

/** `changed`: something of what connecting has put there is gone or another one, as after an update of Hermes. */
export const connectionState = async (home: string, setup: HostSetup): Promise<ConnectionState> => {
  const connection = await readConnection(home, setup.name)
  if (!connection) return 'not-connected'
  for (const { path, digests } of connection.folders) {
    const now = await digestsOf(path)
    if (Object.entries(digests).some(([file, digest]) => now[file] !== digest)) return 'changed'
  }
  return 'connected'
}

/** Nothing of somebody else's is overwritten. */
const checkFolders = async ({ folders }: Setup): Promise<void> => {
  for (const { to } of folders)
    if ((await readdir(to).catch(() => [])).length > 0)
      throw new Error(`'${to}' exists and was not made by 'hermes connect'. Move it away first. Nothing was changed.`)
}

/** Carries out what `setup.plan()` gave, after a person agreed. Rejects if something of it cannot be written; disconnecting then takes back what was. */
export const connect = async (home: string, { name }: HostSetup, setup: Setup): Promise<void> => {
  await checkFolders(setup)
  const files = await Promise.all(setup.files.map(connectedFile))
  const folders = await Promise.all(setup.folders.map(async ({ from, to }) => ({ from, path: to, made: await missingFolders(to) })))
  const plain = folders.map(({ path, made }) => ({ path, made, digests: {} }))
  // First, so that what a crash leaves behind is known.
  await writeRecord(home, name, { files, folders: plain })
  const copied: Connection['folders'][number][] = []
  for (const { from, path, made } of folders) copied.push({ path, made, digests: await copyFolder(from, path) })
  await writeRecord(home, name, { files, folders: copied })
  for (const { path, after } of setup.files) {
    await mkdir(dirname(path), { recursive: true })
    await replaceText(path, after)
  }
}

export interface Disconnected {
  /** Files that are as they were before. */
  readonly restored: readonly string[]
  /** Files that were changed meanwhile: only what connecting had put there was taken out. */
  readonly edited: readonly string[]
  /** Files in our own folders that somebody has changed or added: they stay. */
  readonly kept: readonly string[]
}

const removeMade = async (folders: readonly string[]): Promise<void> => {
  // Fails if something is in it.
  for (const folder of folders) await rmdir(folder).catch(() => undefined)
}

/** Undefined if the host is not connected. */
export const disconnect = async (home: string, setup: HostSetup): Promise<Disconnected | undefined> => {
  const connection = await readConnection(home, setup.name)
  if (!connection) return undefined
  const [restored, edited, kept]: string[][] = [[], [], []]
  for (const { path, before, digest, made } of connection.files) {
    const text = await readFile(path, 'utf8').catch(() => undefined)
    if (text === undefined) continue
    if (digestOf(text) !== digest) {
      await replaceText(path, setup.takeBack(path, text))
      edited?.push(path)
      continue
    }
    if (before === undefined) await rm(path)
    else await replaceText(path, before)
    await removeMade(made)
    restored?.push(path)
  }
  for (const { path, digests, made } of connection.folders) {
    kept?.push(...(await removeCopy(path, digests)))
    await removeMade(made)
  }
  await rm(recordFile(home, setup.name))
  return { restored: restored ?? [], edited: edited ?? [], kept: kept ?? [] }
}

/** How the newest review of a coding agent ended. */
export interface LastReview {
  readonly at: number
  readonly host: string
  readonly failure: string | undefined
}

export const lastReview = async (home: string): Promise<LastReview | undefined> => {
  try {
    const { at, host, failure } = asRecord(JSON.parse(await readFile(join(home, '.hermes', 'agents', 'last-review'), 'utf8')))
    return { at: Number(at), host: asText(host), failure: asText(failure) || undefined }
  } catch {
    return undefined
  }
}
