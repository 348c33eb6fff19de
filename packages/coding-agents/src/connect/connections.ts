/** Connects coding agents and disconnects them. What connecting adds to a file is kept, so that disconnecting restores the file byte for byte. */
import { mkdir, readdir, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { claudeSetup } from './claude-setup.ts'
import { codexSetup } from './codex-setup.ts'
import { changeText, digestOf, type Patch, patchOf, readText, removeText, replaceText, undoPatch } from './config-text.ts'
import { copilotSetup } from './copilot-setup.ts'
import { cursorSetup } from './cursor-setup.ts'
import { copyFolder, type Digests, digestsOf, removeCopy } from './folder-copy.ts'
import { geminiSetup } from './gemini-setup.ts'
import type { ConfigFile, FolderCopy, HostSetup } from './host-setup.ts'
import { opencodeSetup } from './opencode-setup.ts'
import { piSetup } from './pi-setup.ts'

export const HOST_SETUPS: readonly HostSetup[] = [claudeSetup, codexSetup, geminiSetup, opencodeSetup, piSetup, copilotSetup, cursorSetup]

interface ConnectedFile {
  readonly path: string
  /** True if there was no such file. */
  readonly isNew: boolean
  readonly patch: Patch
  /** Of the text that connecting wrote. */
  readonly digest: string
  /** Folders that connecting made for it, the innermost first. */
  readonly made: readonly string[]
}

interface ConnectedFolder {
  readonly path: string
  readonly digests: Digests
  readonly made: readonly string[]
}

interface Connection {
  readonly files: readonly ConnectedFile[]
  readonly folders: readonly ConnectedFolder[]
}

/** A file as it is now, and as connecting writes it. */
export interface FileChange {
  readonly path: string
  /** Undefined if there is no such file. */
  readonly before: string | undefined
  readonly after: string
}

export interface PlannedFolder extends FolderCopy {
  /** `same`: an earlier call has copied all of it. */
  readonly state: 'new' | 'update' | 'same'
}

/** What connecting would change. */
export interface ConnectPlan {
  readonly files: readonly (FileChange & { readonly record: ConnectedFile })[]
  readonly folders: readonly PlannedFolder[]
}

/** `home`: the folder of the Hermes home. */
const recordFile = (home: string, host: string): string => join(home, '.hermes', 'agents', 'connected', `${host}.json`)

const readConnection = async (home: string, host: string): Promise<Connection | undefined> => {
  const file = recordFile(home, host)
  const text = await readText(file)
  if (text === undefined) return undefined
  try {
    // It is ours alone, and private.
    return JSON.parse(text) as Connection
  } catch (cause) {
    throw new Error(`'${file}', which says what was changed for ${host}, is damaged. Remove it, then connect again.`, { cause })
  }
}

const writeRecord = async (home: string, host: string, connection: Connection): Promise<void> => {
  const file = recordFile(home, host)
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const fresh = `${file}.${process.pid}`
  await writeFile(fresh, JSON.stringify(connection), { mode: 0o600 })
  await rename(fresh, file)
}

/** The folders above a path that are missing, the innermost first. */
const missingFolders = async (path: string): Promise<readonly string[]> => {
  const folder = dirname(path)
  const isThere = (await stat(folder).catch(() => undefined)) !== undefined
  return isThere || folder === path ? [] : [folder, ...(await missingFolders(folder))]
}

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

/** The text of a file without what connecting has put there; undefined for a file that connecting made, and nobody has changed. */
const withoutOurs = (file: ConfigFile | undefined, text: string, record: ConnectedFile): string | undefined => {
  if (digestOf(text) === record.digest) return record.isNew ? undefined : undoPatch(text, record.patch)
  if (file) return changeText(text, file.takeBack)
  throw new Error(
    `'${record.path}' was changed since 'hermes connect', and the agent has other settings now, so nothing was changed. Set the variable of the agent's folder, such as GEMINI_CLI_HOME, as it was then, and disconnect again.`,
  )
}

const planFile = async (file: ConfigFile, connection: Connection | undefined): Promise<ConnectPlan['files'][number]> => {
  const { path, empty, add } = file
  const before = await readText(path)
  const known = connection?.files.find((each) => each.path === path)
  const base = before === undefined || !known ? before : withoutOurs(file, before, known)
  const after = changeText(base ?? empty, add)
  const record = {
    ...{ path, isNew: base === undefined, patch: patchOf(base ?? '', after), digest: digestOf(after) },
    made: known?.made ?? (await missingFolders(path)),
  }
  return { path, before, after, record }
}

const planFolder = async ({ from, to }: FolderCopy, connection: Connection | undefined): Promise<PlannedFolder> => {
  const isOurs = connection?.folders.some(({ path }) => path === to) === true
  // Nothing of somebody else's is overwritten.
  if (!isOurs && (await readdir(to).catch(() => [])).length > 0)
    throw new Error(`'${to}' exists and was not made by 'hermes connect'. Move it away first. Nothing was changed.`)
  const [source, now] = await Promise.all([digestsOf(from), digestsOf(to)])
  const isSame = isOurs && Object.entries(source).every(([file, digest]) => now[file] === digest)
  return { from, to, state: isSame ? 'same' : isOurs ? 'update' : 'new' }
}

/** What connecting would change, also for an agent that is connected: then the newest version takes the place of what is there. Reads only. Rejects if a file cannot be read or understood. */
export const planConnection = async (home: string, setup: HostSetup): Promise<ConnectPlan> => {
  const connection = await readConnection(home, setup.name)
  return {
    files: await Promise.all(setup.files().map((file) => planFile(file, connection))),
    folders: await Promise.all((await setup.folders()).map((folder) => planFolder(folder, connection))),
  }
}

/** What an earlier call has copied there; nothing for a new folder. */
const copiedBefore = async (path: string, earlier: Connection | undefined): Promise<ConnectedFolder> =>
  earlier?.folders.find((folder) => folder.path === path) ?? { path, digests: {}, made: await missingFolders(path) }

const copyNow = async ({ from, to, state }: PlannedFolder, earlier: ConnectedFolder): Promise<ConnectedFolder> => {
  if (state === 'same') return earlier
  await removeCopy(to, earlier.digests)
  return { ...earlier, digests: await copyFolder(from, to) }
}

const carryOut = async (home: string, name: string, plan: ConnectPlan, earlier: Connection | undefined): Promise<void> => {
  // Of a folder that the agent had before, nothing is forgotten.
  const elsewhere = {
    files: (earlier?.files ?? []).filter(({ path }) => plan.files.every((file) => file.path !== path)),
    folders: (earlier?.folders ?? []).filter(({ path }) => plan.folders.every(({ to }) => to !== path)),
  }
  const files = [...elsewhere.files, ...plan.files.map(({ record }) => record)]
  const folders = await Promise.all(plan.folders.map(async (folder) => ({ folder, before: await copiedBefore(folder.to, earlier) })))
  // First, so that what a crash leaves behind is known.
  const expected = folders.map(async ({ folder: { from }, before }) => ({
    ...before,
    digests: { ...before.digests, ...(await digestsOf(from)) },
  }))
  await writeRecord(home, name, { files, folders: [...elsewhere.folders, ...(await Promise.all(expected))] })
  const copied: ConnectedFolder[] = []
  for (const { folder, before } of folders) copied.push(await copyNow(folder, before))
  await writeRecord(home, name, { files, folders: [...elsewhere.folders, ...copied] })
  for (const { path, before, after } of plan.files) {
    if (after === before) continue
    await mkdir(dirname(path), { recursive: true })
    await replaceText(path, after)
  }
}

const removeCompiled = (home: string): Promise<void> => rm(join(home, '.hermes', 'agents', 'compiled'), { recursive: true, force: true })

/** Carries out what `planConnection` gave, after a person agreed. Rejects if a file has changed since, or something cannot be written; of a new connection nothing is left then. */
export const connect = async (home: string, setup: HostSetup, plan: ConnectPlan): Promise<void> => {
  for (const { path, before } of plan.files)
    if ((await readText(path)) !== before) throw new Error(`'${path}' was changed meanwhile, so nothing was changed. Connect again.`)
  const earlier = await readConnection(home, setup.name)
  try {
    await carryOut(home, setup.name, plan, earlier)
    await removeCompiled(home)
  } catch (cause) {
    if (!earlier) await disconnect(home, setup).catch(() => undefined)
    throw cause
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

/** Undefined if the host is not connected. Rejects before anything is changed if a file cannot be understood. */
export const disconnect = async (home: string, setup: HostSetup): Promise<Disconnected | undefined> => {
  const connection = await readConnection(home, setup.name)
  if (!connection) return undefined
  const [restored, edited, kept]: [string[], string[], string[]] = [[], [], []]
  const files = setup.files()
  const planned = connection.files.map(async (record) => {
    const text = await readText(record.path)
    const file = files.find(({ path }) => path === record.path)
    return { record, text, next: text === undefined ? text : withoutOurs(file, text, record) }
  })
  for (const { record, text, next } of await Promise.all(planned)) {
    if (text === undefined) continue
    if (next === undefined) await removeText(record.path)
    else if (next !== text) await replaceText(record.path, next)
    if (digestOf(text) === record.digest) restored.push(record.path)
    else if (next !== text) edited.push(record.path)
    if (next === undefined) await removeMade(record.made)
  }
  for (const { path, digests, made } of connection.folders) {
    kept.push(...(await removeCopy(path, digests)))
    await removeMade(made)
  }
  for (const { made } of connection.files) await removeMade(made)
  await removeCompiled(home)
  await rm(recordFile(home, setup.name))
  return { restored, edited, kept }
}
