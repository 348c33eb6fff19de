/** Opens the home for one call and closes it again. */

import { join } from 'node:path'
import { err, HermesError, type StorageBackend, systemClock } from '@hermes/core'
import { readHermesConfig } from '@hermes/core/config'
import { fileSystemBackend } from '@hermes/core/file-system'
import { type Answer, EXIT, failed, usage } from './answer.ts'
import type { Call, GlobalArgs } from './command.ts'
import type { Context } from './context.ts'
import { findHome, holdsOwners, lookAtHome } from './home-folder.ts'
import { counted } from './terminal/format.ts'

export type ContextOptions = Pick<Context, 'world' | 'terminal' | 'progress' | 'warn' | 'say' | 'isJson'>

const isEmpty = async (storage: StorageBackend): Promise<boolean> => {
  const listed = await storage.list('')
  return listed.ok && listed.value.length === 0
}

/** The storage of the owner that was named; a TypeError says what is wrong with the name. */
const ownedStorage = async ({ user, tenant }: GlobalArgs, root: StorageBackend): Promise<StorageBackend | TypeError> => {
  if (user === undefined) return tenant === undefined ? root : new TypeError('--tenant needs --user: a tenant alone has no home.')
  // Loads the whole library.
  const { createHermesHomes } = await import('@hermes/core')
  try {
    return createHermesHomes({ storage: root }).storage({ tenant, user })
  } catch (cause) {
    if (cause instanceof TypeError) return cause
    throw cause
  }
}

/** Every write fails with the error. */
const readOnly = (backend: StorageBackend, error: HermesError): StorageBackend => {
  const refuse = async () => err(error)
  return { read: (paths) => backend.read(paths), update: refuse, list: (prefix) => backend.list(prefix), close: () => backend.close() }
}

/** The path of a home that is missing may be mistyped, so the folder is not created. */
const notCreated = (home: string): HermesError =>
  new HermesError(
    'not_found',
    `There is no folder '${home}', so nothing was written. Check --home, or create the folder first: mkdir -p '${home}'`,
    { details: { home } },
  )

/** The library knows the file by its name in the home; a person needs its full path. */
const brokenConfig = ({ code, message, details }: HermesError, home: string): HermesError =>
  new HermesError(code, `${message.replace('config.yaml', join(home, 'config.yaml'))} 'hermes doctor' checks the whole home.`, { details })

/** What the settings allow the call: everything, only reading, or, with the error, nothing. */
const withSettings = async (
  { withoutConfig, onlyReads }: Call,
  files: StorageBackend,
  home: string,
  warn: Context['warn'],
): Promise<Pick<Context, 'config' | 'root'> | HermesError> => {
  const config = await readHermesConfig(files)
  if (withoutConfig) return { config, root: files }
  if (config.ok) {
    const unused = config.value.warnings.length
    if (unused > 0) warn(`config.yaml has ${counted(unused, 'setting')} without effect. 'hermes config check' lists them.`)
    return { config, root: files }
  }
  const broken = brokenConfig(config.error, home)
  if (!onlyReads) return broken
  warn(`${broken.message} Until then, everything is shown with the default settings.`)
  return { config, root: readOnly(files, broken) }
}

/** For a folder that is not there, 'nothing was found' is half of the truth. Not added to wrong usage, or if the message names the folder. */
const namingHome = (answer: Answer, home: string): Answer => {
  const { failure } = answer
  if (!failure || failure.exitCode === EXIT.usage || failure.isDecision || failure.message.includes(home)) return answer
  return { ...answer, failure: { ...failure, message: `${failure.message} There is no Hermes home at '${home}' yet; check --home.` } }
}

/** Opens the home, runs the call, closes the home. A missing home is created by the first write only. */
export const withContext = async (call: Call, { world, terminal, progress, warn, say, isJson }: ContextOptions): Promise<Answer> => {
  if (call.globals.home === '') return failed(usage('--home is empty. Name a folder, or leave it out.'))
  const home = findHome(call.globals.home, world)
  const found = call.withoutHome ? 'there' : lookAtHome(home)
  if (found === 'not-a-folder') {
    return failed({ code: 'invalid_path', message: `'${home}' is a file, not a Hermes home. Name a folder with --home or HERMES_HOME.` })
  }
  const isNamed = call.globals.home !== undefined
  const files = fileSystemBackend(home, { onWarning: warn })
  const guarded = found === 'missing' && isNamed && !call.createsHome ? readOnly(files, notCreated(home)) : files
  const tasks: (() => Promise<void>)[] = []
  const atEnd = (task: () => Promise<void>) => void tasks.push(task)
  try {
    const opened = await withSettings(call, guarded, home, warn)
    if (HermesError.isInstance(opened)) return failed(opened)
    const { config, root } = opened
    const storage = await ownedStorage(call.globals, root)
    if (storage instanceof TypeError) return failed(usage(storage.message))
    if (storage === root && !call.forAll && holdsOwners(home)) {
      warn("This folder holds the homes of many people. Name one with --user; 'hermes owners list' lists them.")
    }
    if (storage !== root && !call.forAll && (await isEmpty(storage))) {
      warn("Nothing is stored for this user yet. 'hermes owners list' lists those with stored data; check --user and --tenant.")
    }
    const { user, tenant } = call.globals
    const owner = user === undefined ? undefined : { ...(tenant === undefined ? {} : { tenant }), user }
    const clock = world.clock ?? systemClock
    const answer = await call.run({ world, terminal, progress, home, storage, owner, root, config, clock, warn, say, isJson, atEnd })
    // A write has created it meanwhile.
    if (found !== 'missing' || lookAtHome(home) !== 'missing') return answer
    if (answer.failure === undefined) {
      const next = isNamed ? 'Check --home.' : 'The first write creates it; --home names another.'
      warn(`There is no Hermes home at '${home}' yet, so everything is empty. ${next}`)
    }
    return namingHome(answer, home)
  } finally {
    progress.end()
    for (const task of tasks) await task()
    await guarded.close()
  }
}
