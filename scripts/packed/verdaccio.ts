/** A registry on this machine that takes packages from those who are logged in, and has none of others. */
import { execFile, spawn } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort } from '../support/free-port.ts'

/** One of its parts asks for a tag of node-fetch that not every registry has. */
const MANIFEST = { private: true, dependencies: { verdaccio: '6.10.4' }, overrides: { 'node-fetch': '2.7.0' } }

export interface LocalRegistry {
  readonly url: string
  /** The path of an .npmrc of somebody who may publish. */
  readonly npmrc: string
  readonly close: () => void
}

const configOf = (folder: string): string => `
storage: ${folder}/storage
auth:
  htpasswd:
    file: ${folder}/htpasswd
packages:
  '@hermes/*':
    access: $all
    publish: $authenticated
max_body_size: 50mb
log: { type: stdout, level: error }
`

const answers = async (url: string): Promise<boolean> => {
  for (let tries = 0; tries < 150; tries++) {
    const response = await fetch(`${url}/-/ping`).catch(() => undefined)
    if (response?.ok) return true
    await pause(200)
  }
  return false
}

const logIn = async (url: string): Promise<string> => {
  const user = { name: 'releaser', password: 'only-on-this-machine', type: 'user' }
  const response = await fetch(`${url}/-/user/org.couchdb.user:${user.name}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(user),
  })
  const { token }: { token?: string } = JSON.parse(await response.text())
  if (token === undefined) throw new Error(`The registry gave no token: ${response.status}`)
  return token
}

/** `folder`: an empty one, for all that it keeps. */
export const startRegistry = async (folder: string): Promise<LocalRegistry> => {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'config.yaml'), configOf(folder))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  await writeFile(join(folder, 'package.json'), JSON.stringify(MANIFEST))
  await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'], { cwd: folder })
  // The Node that runs this: it needs a newer one than our packages do.
  const program = join(folder, 'node_modules/verdaccio/bin/verdaccio')
  const args = [program, '--config', join(folder, 'config.yaml'), '--listen', `127.0.0.1:${port}`]
  const server = spawn(process.execPath, args, { cwd: folder, stdio: 'ignore' })
  const close = (): void => void server.kill()
  try {
    if (!(await answers(url))) throw new Error('The registry did not start within half a minute.')
    const npmrc = join(folder, '.npmrc')
    await writeFile(npmrc, `//127.0.0.1:${port}/:_authToken=${await logIn(url)}\n`, { mode: 0o600 })
    return { url, npmrc, close }
  } catch (cause) {
    close()
    throw cause
  }
}
